// Elements of HTML and SVG, made in one line. Texts go in as text, never as markup: names may hold anything.

const kSvg = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on'))
      element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined)
      element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(kSvg, tag), attributes, children);

// A row of buttons of which one is pressed. `options` are [value, title]; `choose` is called with the value, at once for
// `chosen` too.
function segments(label, options, choose, chosen = options[0][0]) {
  const buttons = options.map(([value, title]) => html('button', {type: 'button', onclick: () => press(value)}, title));
  function press(value) {
    buttons.forEach((button, k) => button.setAttribute('aria-pressed', options[k][0] === value));
    choose(value);
  }
  const group = html('div', {class: 'segments', role: 'group', 'aria-label': label}, buttons);
  press(chosen);
  return group;
}

// Of half the width, where there is room for two.
function halfPanel(...parts) {
  const section = panel(...parts);
  section.classList.add('half');
  return section;
}

function panel(id, title, about, ...children) {
  return html(
      'section', {class: 'panel', id, 'aria-labelledby': `${id}-title`}, html('h2', {id: `${id}-title`}, title),
      html('p', {class: 'about'}, about), children);
}

const strong = (text) => html('strong', {}, text);

// A figure and what it is.
function tile(value, words) { return html('div', {class: 'tile'}, html('b', {}, value), html('span', {}, words)); }
