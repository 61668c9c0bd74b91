// Colours that tell bodies apart: a hue for each limb, and light and dark in turn along it.

const kTurn = 137.5;  // degrees between hues: any number of them stays apart
const kFirst = 250;   // the trunk is blue

// A body that is the only child of its parent goes on with its limb.
function limbs(bodies) {
  const children = bodies.map(() => 0);
  bodies.forEach(({parent}) => {
    if (parent >= 0) ++children[parent];
  });
  let count = 0;
  const limb = [], place = [];
  bodies.forEach(({parent}, k) => {
    const goesOn = parent >= 0 && children[parent] === 1;
    limb[k] = goesOn ? limb[parent] : count++;
    place[k] = goesOn ? place[parent] + 1 : 0;
  });
  return {limb, place};
}

// As {hue, saturation, lightness}, the hue in degrees, the others from 0 to 1.
export function bodyColours(bodies) {
  const {limb, place} = limbs(bodies);
  return bodies.map((_, k) => ({
                      hue: (kFirst - 35 + kTurn * limb[k] + 360) % 360,
                      saturation: 0.4,
                      lightness: place[k] % 2 ? 0.62 : 0.5,
                    }));
}
