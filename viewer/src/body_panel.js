// The chosen body: what it is, how it moves, and which constraints it takes part in.
import {countedText, html} from 'page';

import {split} from './contact_forces.js';
import {icon} from './icons.js';
import {contactsOf} from './recording.js';

const number = (x) => Object.is(x, -0) || Math.abs(x) < 5e-5 ? '0' : `${Number(x.toFixed(4))}`;
const list = (values) => values.length ? Array.from(values, number).join('  ') : 'none';

function facts(pairs) {
  return html('dl', {}, pairs.flatMap(([name, value]) => [html('dt', {}, name), html('dd', {}, value)]));
}

export class BodyPanel {
  constructor(recording, close) {
    this.recording = recording;
    this.title = html('h2', {id: 'body-title'});
    this.content = html('div', {class: 'scroll'});
    const button =
        html('button', {type: 'button', class: 'icon', 'aria-label': 'Close', onclick: close}, icon('close'));
    this.element = html(
        'section', {class: 'card body', 'aria-labelledby': 'body-title', hidden: ''},
        html('header', {}, this.title, button), this.content);
  }

  show(body, frame) {
    this.element.hidden = body === null;
    if (body === null) return;
    const about = this.recording.bodies[body];
    this.title.textContent = about.name;
    this.content.replaceChildren(facts(this.lines(body, about, frame)), this.constraints(body, frame));
  }

  lines(body, about, frame) {
    const parent = about.parent < 0 ? 'the world' : this.recording.bodies[about.parent].name;
    const lines = [
      ['joint', `${about.joint_name ? `${about.joint_name}, ` : ''}${about.joint}, on ${parent}`],
      ['mass', `${number(about.mass)} kg`]
    ];
    if (!frame) return lines;
    const part = (values, [first, count]) => list(values.subarray(first, first + count));
    return [
      ...lines, ['position', `${list(frame.poses.subarray(7 * body, 7 * body + 3))} m`], ['q', part(frame.q, about.q)],
      ['v', part(frame.v, about.v)]
    ];
  }

  constraints(body, frame) {
    const structure = this.recording.structureOf(frame);
    const groups =
        (structure?.rows ?? []).map((group, index) => ({...group, index})).filter(({bodies}) => bodies?.includes(body));
    if (!groups.length) return html('p', {class: 'note'}, 'No constraint rows on it now.');
    const contacts = contactsOf(this.recording, frame, body);
    const lines = groups.map((group) => {
      const contact = contacts.find(({row}) => row === group.index);
      return html(
          'tr', {}, html('td', {class: 'name'}, group.name), html('td', {}, rowsText(group)), forceCells(contact));
    });
    return html(
        'table', {},
        html(
            'thead', {},
            html('tr', {}, ['constraint', 'rows', 'normal', 'across'].map((text) => html('th', {}, text)))),
        html('tbody', {}, lines));
  }
}

const rowsText = ({first, count, kind}) =>
    `${count > 1 ? `${first}–${first + count - 1}` : first}${kind && kind !== 'contact' ? `, ${kind}` : ''}`;

// Along the normal and across it. A dot marks what slides.
function forceCells(contact) {
  if (!contact) return [html('td', {}), html('td', {})];
  const {pressing, across, sliding} = split(contact);
  const slides = sliding ?
      html('span', {class: 'slides', 'data-tip': 'slides: friction is all that its cone allows'}, ' ●') :
      null;
  return [html('td', {}, newtonText(pressing)), html('td', {}, newtonText(across), slides)];
}

const newtonText = (x) => Math.abs(x) < 0.05 ? '0 N' : `${x.toFixed(1)} N`;

// What is there, while no body is chosen.
export function aboutMechanism({bodies, shapes, mass, frames}) {
  const dofs = bodies.reduce((sum, {v}) => sum + v[1], 0);
  return [
    countedText(bodies.length, 'moving body').replace('bodys', 'bodies'), `${dofs} degrees of freedom`,
    `${Number(mass.toPrecision(4))} kg`, countedText(shapes.length, 'shape'), countedText(frames.length, 'frame')
  ].join(' · ');
}
