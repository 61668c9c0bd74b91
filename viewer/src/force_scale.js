// How long arrows are: a line that says it, and buttons to change it.
import {html} from 'page';

const kStep = Math.SQRT2;

export class ForceScale {
  // `scale` is called with a factor for the length of arrows.
  constructor(scale) {
    const button = (sign, words, factor) =>
        html('button', {type: 'button', 'aria-label': words, 'data-tip': words, onclick: () => scale(factor)}, sign);
    this.words = html('span', {});
    this.element = html(
        'div', {class: 'scale note'}, this.words, button('−', 'Shorter arrows', 1 / kStep),
        button('+', 'Longer arrows', kStep));
  }

  show(newtonsPerMetre) {
    this.words.textContent = `arrows: 10 cm for ${Number((newtonsPerMetre / 10).toPrecision(2))} N`;
  }
}
