// Small drawings on buttons.
import {svg} from 'page';

const kPaths = {
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M4 2.5h3v11H4zM9 2.5h3v11H9z',
  back: 'M11.5 3v10L5 8zM3 3h1.6v10H3z',
  forward: 'M4.5 3v10L11 8zM11.4 3H13v10h-1.6z',
  restart: 'M8 3V.8L4 4l4 3.2V4.8a4 4 0 1 1-4 4H2.2A5.8 5.8 0 1 0 8 3z',
  close: 'M3.3 4.4 4.4 3.3 8 6.9l3.6-3.6 1.1 1.1L9.1 8l3.6 3.6-1.1 1.1L8 9.1l-3.6 3.6-1.1-1.1L6.9 8z',
};

export const icon = (name) =>
    svg('svg', {viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true'},
        svg('path', {d: kPaths[name], fill: 'currentColor'}));
