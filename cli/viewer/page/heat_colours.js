// Colours of entries of Λ⁻¹: hue for the sign, depth for the size, over four decades; and their legend.

const kDecades = 4;
const kNegative = [33, 102, 172], kPositive = [178, 60, 24];

// From -1 to 1, zero for what is four decades below the largest.
function shadeOf(x, largest) {
  if (x === 0 || largest === 0) return 0;
  return Math.sign(x) * Math.max(0, 1 + Math.log10(Math.abs(x) / largest) / kDecades);
}

function heatRgb(shade) {
  return mixed(parsedHex(cssColour('neutral')), shade < 0 ? kNegative : kPositive, Math.abs(shade));
}

const heatColour = (shade) => rgb(heatRgb(shade));

function heatLegend() {
  const canvas = html('canvas', {'aria-hidden': 'true', style: 'height:14px;max-width:420px;margin:0 auto'});
  const marks = html(
      'div', {class: 'note', style: 'display:flex;justify-content:space-between;max-width:420px;margin:2px auto 0'});
  return {
    element: html('div', {style: 'margin-top:10px'}, canvas, marks),
    // The colours, which change with those of the page.
    paint() {
      const [steps, context] = [200, canvas.getContext('2d')];
      canvas.width = steps;
      canvas.height = 1;
      for (let k = 0; k < steps; ++k) {
        context.fillStyle = heatColour(2 * k / (steps - 1) - 1);
        context.fillRect(k, 0, 1, 1);
      }
    },
    label(largest, unit) {
      const mark = (x) => `${Number(x.toPrecision(2))}`;
      marks.replaceChildren(...[`−${mark(largest)} ${unit}`, `−${mark(largest / 100)}`, '0', mark(largest / 100),
                                `${mark(largest)} ${unit}`]
                                .map((text) => html('span', {}, text)));
    },
  };
}
