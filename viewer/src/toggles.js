// Buttons over the picture: what is drawn, and where the camera is.
import {html} from 'page';

export class Toggles {
  // `options` are {name, key, words, on, act}; `act` is called with whether it is on. Others have no state.
  constructor(options) {
    this.byName = new Map();
    this.element =
        html('div', {class: 'toggles', role: 'group', 'aria-label': 'what is drawn'}, options.map((o) => this.make(o)));
    this.keys = new Map(options.map(({key, name}) => [key, name]));
  }

  make(option) {
    const lasting = option.on !== undefined;
    const button = html(
        'button', {
          type: 'button',
          'data-tip': `${option.words} (${option.key})`,
          'aria-pressed': lasting ? String(option.on) : null,
          onclick: () => this.press(option.name)
        },
        option.name);
    this.byName.set(option.name, {...option, button});
    return button;
  }

  isOn(name) { return this.byName.get(name).on === true; }

  press(name) {
    const option = this.byName.get(name);
    if (option.on === undefined) return option.act();
    this.set(name, !option.on);
  }

  set(name, on) {
    const option = this.byName.get(name);
    option.on = on;
    option.button.setAttribute('aria-pressed', String(on));
    option.act(on);
  }

  // Whether the key is one of theirs.
  pressKey(key) {
    if (!this.keys.has(key)) return false;
    this.press(this.keys.get(key));
    return true;
  }
}
