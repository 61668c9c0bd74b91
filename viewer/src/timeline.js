// The bar below: play, step, any moment, speed; marks where something happened.
import {countedText, html} from 'page';

import {icon} from './icons.js';

const kSpeeds = [[0.1, '0.1×'], [0.25, '0.25×'], [0.5, '0.5×'], [1, '1×'], [2, '2×'], [4, '4×']];

const kDeep = 1e-6;  // metres of penetration that are worth a word

const kRoom = 0.12;  // of the bar, for the words of a mark

const secondsText = (t) => `${t.toFixed(3)} s`;

function iconButton(name, label, press) {
  return html(
      'button', {type: 'button', class: 'icon', 'aria-label': label, 'data-tip': label, onclick: press}, icon(name));
}

export class Timeline {
  // `transport` has what buttons do: toggle, step, restart (live ones only), speed.
  constructor(recording, player, transport) {
    Object.assign(this, {recording, player});
    this.play = html('button', {type: 'button', class: 'play', onclick: transport.toggle});
    this.slider = html('input', {
      type: 'range',
      min: 0,
      step: 1,
      value: 0,
      'aria-label': 'time',
      oninput: () => {
        player.pause();
        transport.seek(Number(this.slider.value));
      }
    });
    this.clock = html('output', {class: 'clock', 'aria-label': 'shown time'});
    this.facts = html('span', {class: 'facts note'});
    this.ticks = html('div', {class: 'ticks'});
    this.speed = html(
        'select', {'aria-label': 'speed', onchange: () => transport.speed(Number(this.speed.value))},
        kSpeeds.map(([value, words]) => html('option', {value}, words)));
    this.setSpeed(recording.speed);
    const restart = transport.restart ? iconButton('restart', 'Start anew', transport.restart) : null;
    this.element = [
      html(
          'div', {class: 'buttons'}, this.play, iconButton('back', 'One frame back (←)', () => transport.step(-1)),
          iconButton('forward', 'One frame on (→)', () => transport.step(1)), restart, this.speed),
      html('div', {class: 'scrubber'}, this.slider, this.ticks), html('div', {class: 'readout'}, this.clock, this.facts)
    ];
    this.setPlaying(false);
    this.resize();
  }

  setPlaying(playing) {
    this.play.replaceChildren(icon(playing ? 'pause' : 'play'), playing ? 'Pause' : 'Play');
    this.play.setAttribute('aria-label', `${playing ? 'Pause' : 'Play'} (space)`);
  }

  // Also one that is not among those to choose.
  setSpeed(value) {
    if (!Array.from(this.speed.options).some((option) => Number(option.value) === value))
      this.speed.append(html('option', {value}, `${value}×`));
    this.speed.value = String(value);
  }

  // When frames have come or gone.
  resize() {
    const {recording} = this;
    this.slider.max = Math.max(0, recording.last);
    this.slider.disabled = recording.last < 1;
    this.play.disabled = !recording.live && recording.last < 1;
    this.ticks.replaceChildren(...recording.marks.map((mark, k) => this.tick(mark, k)));
  }

  // With its words, if there is room for them before the next one.
  tick({t, text}, k) {
    const {recording} = this, index = recording.indexAt(t), {last} = recording;
    const next = recording.marks[k + 1], room = (next ? recording.indexAt(next.t) : last) - index;
    return html(
        'button', {
          type: 'button',
          class: 'tick',
          style: `left:${100 * index / Math.max(1, last)}%`,
          'data-tip': `${secondsText(t)}: ${text}`,
          'aria-label': `go to ${secondsText(t)}: ${text}`,
          onclick: () => {
            this.player.pause();
            this.player.seek(index);
          }
        },
        html('i', {}), room > kRoom * last ? html('span', {}, text) : null);
  }

  show({index, time, frame}, structure) {
    this.slider.value = index;
    this.clock.textContent = secondsText(time);
    this.slider.setAttribute('aria-valuetext', secondsText(time));
    const bare = this.recording.motionOnly ? 'motion alone' : '';
    this.facts.textContent = frame ? bare || factsOf(frame, structure) : 'no frames';
  }
}

function factsOf({contacts, iterations, penetration}, structure) {
  const parts = [countedText(contacts.length, 'contact'), countedText(structure?.size ?? 0, 'row')];
  if (iterations) parts.push(countedText(iterations, 'iteration'));
  if (penetration > kDeep) parts.push(`${Number((1000 * penetration).toPrecision(2))} mm deep`);
  return parts.join(' · ');
}
