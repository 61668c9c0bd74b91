// Which curves there are: energy, residuals, what the solver did, and what a recording brings of its own.
import {Plot} from './plot.js';

// Variables of style.css, where dark pages have others.
const kColours = ['blue', 'amber', 'green', 'red', 'violet', 'sky'].map((name) => `curve-${name}`);

function total({kinetic, potential}) { return kinetic === null || potential === null ? null : kinetic + potential; }

const kEnergy = {
  title: 'Energy, J',
  series: [
    {name: 'kinetic', unit: 'J', colour: kColours[3], of: (frame) => frame.kinetic},
    {name: 'potential', unit: 'J', colour: kColours[0], of: (frame) => frame.potential},
    {name: 'total', unit: 'J', colour: kColours[2], dash: [5, 3], of: total}
  ]
};

const kResiduals = {
  title: 'Residuals',
  log: true,
  series: [
    {name: 'velocity, m/s', unit: 'm/s', colour: kColours[0], of: (frame) => frame.velocity_residual},
    {name: 'force, N', unit: 'N', colour: kColours[3], dash: [5, 3], of: (frame) => frame.force_residual}
  ]
};

const kSolver = {
  title: 'Solver',
  series: [
    {name: 'contacts', unit: '', colour: kColours[1], of: (frame) => frame.contacts.length},
    {name: 'iterations', unit: '', colour: kColours[4], dash: [5, 3], of: (frame) => frame.iterations ?? null}
  ]
};

// Those of one unit share a plot.
function ownPlots(series) {
  const units = [...new Set(series.map(({unit}) => unit))];
  return units.map((unit) => {
    const own = series.filter((one) => one.unit === unit);
    return {
      title: `${own.length === 1 ? own[0].name : 'Recorded'}, ${unit}`,
      series: own.map(
          ({name, values}, k) =>
              ({name, unit, colour: kColours[k % kColours.length], of: (_, at) => values[at] ?? null}))
    };
  });
}

export function makePlots(recording, seek) {
  const usual = recording.motionOnly ? [] : [kEnergy, kResiduals, kSolver];
  const plots = [...usual, ...ownPlots(recording.series)].map((what) => new Plot(what, recording, seek));
  // What a whole recording has nothing of is left out; a live one may still bring it.
  return recording.live ? plots : plots.filter((plot) => plot.hasValues());
}
