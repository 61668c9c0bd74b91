// Keys of the page, and the card that says what they do. Those of lists and sliders stay theirs.
import {html} from 'page';

const kFar = 10;  // frames of a page key

const takesKeys = (element) => element.closest?.('select, textarea, input:not([type=range])');

export function installKeys(transport, stage, toggles, close) {
  const turns = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
  const acts = {
    ' ': transport.toggle,
    ArrowLeft: () => transport.step(-1),
    ArrowRight: () => transport.step(1),
    PageUp: () => transport.step(-kFar),
    PageDown: () => transport.step(kFar),
    Home: () => transport.seek(0),
    End: () => transport.seek(Infinity),
    '+': () => stage.zoom(0.85),
    '-': () => stage.zoom(1 / 0.85),
    Escape: close,
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event.target)) return;
    if (event.key === ' ' && event.target.closest('button')) return;  // presses that button
    const turn = event.shiftKey && turns[event.key], act = acts[event.key];
    if (turn)
      stage.turn(...turn);
    else if (act)
      act();
    else if (!toggles.pressKey(event.key))
      return;
    event.preventDefault();
  });
}

const kWords = [
  ['space', 'play, pause'], ['← →', 'one frame back, on'], ['Page up, down', 'ten frames'],
  ['Home, End', 'first, last frame'], ['shift + arrows', 'turn the view'], ['+ −', 'nearer, farther'],
  ['f c p', 'forces, cones, points'], ['b', 'follow the chosen body'], ['r', 'the first view'],
  ['Escape', 'choose no body'], ['drag', 'turn the view; right button: move it'], ['wheel, pinch', 'nearer, farther'],
  ['click', 'choose a body']
];

export function keysCard() {
  const lines = kWords.flatMap(([keys, words]) => [html('dt', {}, keys), html('dd', {}, words)]);
  return html('section', {class: 'card keys', 'aria-label': 'keys', hidden: ''}, html('dl', {}, lines));
}
