/** Axes of the parallel coordinates: where a run lies on each of them, and the values that limits offer. */
export const axesScript = String.raw`
/** Numbers between two ends that a list can offer. */
const OFFERED = 20;
const short = (value) => String(Number(value.toPrecision(6))).replace('-', '\u2212');

/** Multiples of a round step between two ends, about so many. */
function roundValues(low, high, parts) {
  const raw = (high - low || 1) / parts;
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  const step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, k) => (first + k) * step);
}
/** The ends, and round values between them that keep off the ends. */
const valuesBetween = (low, high, parts) => [low, ...roundValues(low, high, parts).filter((value) => value > low && value < high), high];

/** place: 0..1 of run i on the axis; where it has no such parameter, below the lowest value. */
function parameterAxis(parameter) {
  const { name, labels, isContinuous, values, codes } = parameter;
  if (isContinuous) {
    const [low, high] = [values[0], values.at(-1)];
    const at = (value) => (value - low) / (high - low || 1);
    const hasGaps = codes.includes(0);
    const lift = (place) => (hasGaps ? 0.1 + 0.9 * place : place);
    return {
      name,
      placeOf: (i) => (codes[i] === 0 ? 0 : lift(at(values[codes[i] - 1]))),
      ticks: [...(hasGaps ? [[0, 'not used']] : []), ...valuesBetween(low, high, 4).map((value) => [lift(at(value)), short(value)])],
      offered: valuesBetween(low, high, OFFERED).map((value) => [lift(at(value)), short(value)]),
      step: 0,
    };
  }
  const hasGaps = codes.includes(0);
  const slots = hasGaps ? ['not used', ...labels] : labels;
  const last = Math.max(1, slots.length - 1);
  const ticks = slots.map((label, k) => [slots.length === 1 ? 0.5 : k / last, label]);
  return { name, placeOf: (i) => ticks[groupOf(parameter, i) + (hasGaps ? 1 : 0)][0], ticks, offered: ticks, step: 1 / last };
}

/** A single wild value does not squeeze all others: ends are percentiles, what lies beyond them stands at the end. */
function metricAxis({ title, values, kind }) {
  const sorted = [...values].filter(Number.isFinite).sort((a, b) => a - b);
  const at = (q) => sorted[Math.round(q * (sorted.length - 1))] ?? 0;
  let [low, high] = [at(0.005), at(0.995)];
  if (sorted.length < 2000) [low, high] = [at(0), at(1)];
  else if (at(1) < high + (high - low)) high = at(1);
  const span = high - low || 1;
  const place = (value) => Math.min(1, Math.max(0, (value - low) / span));
  const list = (parts) => valuesBetween(low, high, parts).map((value) => [place(value), formOf(value, kind)]);
  return { name: title, low, high, place, placeOf: (i) => (Number.isFinite(values[i]) ? place(values[i]) : 0), ticks: list(4), offered: list(OFFERED), step: 0 };
}
`;
