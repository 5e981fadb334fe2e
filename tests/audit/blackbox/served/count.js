// A program that stays: the number of records with Laplace noise of a scale, from the seed given.
//
// node count.js SCALE
const scale = Number(process.argv[2]);

// SplitMix32: a small generator that takes a seed, which Math.random does not.
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { data, size, seed } = JSON.parse(line);
  const draw = generator(seed);
  const step = () => -Math.log(1 - draw());
  const outputs = Array.from({ length: size }, () => data.length + scale * (step() - step()));
  process.stdout.write(JSON.stringify(outputs) + "\n");
});
