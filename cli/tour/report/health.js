// Health of the constraints: rank, mobility and condition, the spectrum of the scaled Λ⁻¹, and what the doctor found.

const kVerdicts = {
  healthy: 'healthy',
  redundant: 'redundant, but solvable',
  unhealthy: 'not healthy',
  unknown: 'no diagnosis',
};

const kSpectrum = {
  width: 600,
  height: 200,
  left: 62,
  top: 10,
  bottom: 34
};

// A bar for each eigenvalue over a logarithmic axis that begins where they count as none.
function spectrumChart({eigenvalues, rank, rank_tolerance}) {
  const {width, height, left, top, bottom} = kSpectrum;
  const high = eigenvalues[0], low = Math.min(high * rank_tolerance, high / 10), floor = height - bottom;
  const y = (v) => v <= low ? floor : floor - (floor - top) * Math.log(v / low) / Math.log(high / low);
  const step = (width - left) / eigenvalues.length;
  const text = (x, at, words, anchor) =>
      svg('text', {class: 'soft', x, y: at, 'font-size': 11, 'text-anchor': anchor}, words);
  const line = (v) =>
      [svg('line', {class: 'grid', x1: left, x2: width, y1: y(v), y2: y(v)}),
       text(left - 7, y(v) + 4, powerText(v), 'end')];
  const column = (v, k) => {
    const counts = k < rank, tall = counts ? Math.max(floor - y(v), 2) : 3;
    return svg('rect', {
      class: counts ? 'counts' : 'none',
      x: left + k * step,
      y: floor - tall,
      width: Math.max(step - 1, 0.5),
      height: tall,
      fill: counts ? 'var(--accent)' : 'var(--warm)',
      'data-tip': `eigenvalue ${k + 1} of ${eigenvalues.length}: ${counts ? errorText(v) : 'none'}`
    });
  };
  return svg(
      'svg', {
        class: 'chart spectrum',
        role: 'img',
        'aria-label': `${eigenvalues.length} eigenvalues, of which ${rank} count`,
        viewBox: `0 0 ${width} ${height}`,
        width: '100%'
      },
      ticksOf({low, high}).filter((_, k, all) => k % Math.ceil(all.length / 6) === 0).flatMap(line),
      eigenvalues.map(column),
      text((left + width) / 2, height - 8, 'eigenvalues of Λ⁻¹ with a unit diagonal, by size', 'middle'));
}

function findingCard({text, details, more, advice}) {
  return html(
      'div', {class: 'choice finding'}, html('b', {}, text),
      html('ul', {}, details.map((words) => html('li', {}, words)), more ? html('li', {}, `and ${more} more`) : null),
      advice ? html('p', {}, `What to do: ${advice}.`) : null);
}

function healthPanel() {
  const tiles = html('div', {class: 'tiles'}), drawing = html('div', {class: 'scroll'}),
        findings = html('div', {class: 'choices'});
  const section = panel(
      'health', 'Health of the constraints',
      'What `delassus doctor` says. Every row counts as held. Orange: rows that say nothing new.', tiles,
      html('div', {class: 'pair'}, drawing, findings));
  function show({health, rows}) {
    tiles.replaceChildren(
        tile(kVerdicts[health.health], 'in short'), tile(`${health.rank} of ${rows.length}`, 'rank of the rows'),
        tile(`${health.mobility} of ${health.dofs}`, 'degrees of freedom left'),
        tile(powerText(health.condition), 'condition number on the range'));
    drawing.replaceChildren(...(health.rank ? [spectrumChart(health)] : []));
    const nothing = html('p', {class: 'note'}, 'Nothing was found: all rows are independent, and in place.');
    findings.replaceChildren(...(health.findings.length ? health.findings.map(findingCard) : [nothing]));
  }
  return {section, show};
}
