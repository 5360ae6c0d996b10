import { EngineError, mustBe, quote } from '../errors.js';
import { completeParams, type ParamSpecs, type ParamValue, paramsFor, renameLegacy } from '../indicators/params.js';
import { formatInterval, tryParseInterval, WEEK_MS } from '../series/intervals.js';
import { requireSignal } from '../signals/registry.js';
import { columnsBeside, type Signal } from '../signals/signal.js';
import { reachKeys, readReach } from '../strategy/index.js';
import { apiTimeframeMs, howToAdd } from '../strategy/plan.js';
import { type AxisValue, readAxis } from './axis.js';
import type { Nameable, SweepDataset } from './definition.js';
import type { Problems } from './problems.js';
import type { SweepConstraint, SweepOperator, SweepSignal } from './signal-space.js';

const SIGNAL_KEYS = ['name', 'signal_type', 'timeframe', 'params', 'params_sweep', ...reachKeys];
const operators: readonly string[] = ['<', '<=', '>', '>=', '!='] satisfies SweepOperator[];

/** `[[a, op, b], ...]` as listed in the `constraints` of a side. */
export function readConstraints(place: string, json: unknown, problems: Problems): SweepConstraint[] {
  if (json === undefined || json === null) return [];
  if (!Array.isArray(json)) {
    problems.error(mustBe(place, 'a list of [name, operator, name or number]', json));
    return [];
  }
  return json.flatMap((item, i): SweepConstraint[] => {
    const [left, operator, right] = Array.isArray(item) && item.length === 3 ? item : [];
    const isRight = typeof right === 'string' || Number.isFinite(right);
    if (typeof left === 'string' && operators.includes(operator) && isRight) return [[left, operator, right]];
    problems.error(
      mustBe(`${place}[${i}]`, `[name, operator, name or number] with an operator of ${operators.join(' ')}`, item),
    );
    return [];
  });
}

/** One entry of `triggers` or `filters`; undefined when it cannot be read. */
export function readSignal(
  place: string,
  json: unknown,
  role: 'TRIGGER' | 'FILTER',
  listed: readonly SweepConstraint[],
  { datasets, own, composition }: Nameable,
  problems: Problems,
): SweepSignal | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    problems.error(mustBe(place, 'an object {name, signal_type, params, params_sweep}', json));
    return undefined;
  }
  const record = json as Readonly<Record<string, unknown>>;
  problems.unknown(place, record, SIGNAL_KEYS, true);
  if (record.signal_type !== role) {
    problems.error(mustBe(`${place}.signal_type`, role, record.signal_type));
  }
  const signal = problems.attempt(`${place}.name`, () => requireSignal(record.name, own));
  const timeframe = readTimeframe(
    `${place}.timeframe`,
    record.timeframe,
    datasets,
    composition === 'relaxed',
    problems,
  );
  const reach = problems.attempt(place, () => readReach(record, place));
  if (signal === undefined) return undefined;
  const axes = readAxes(place, signal, record, problems);
  const params = problems.attempt(place, () => {
    const fixed = asRecord('params', record.params);
    for (const { name } of axes) {
      if (Object.hasOwn(fixed, name)) problems.warn(`${place}: ${name} is both fixed and swept, the sweep wins`);
    }
    const complete = {
      ...renameLegacy(signal, fixed),
      ...Object.fromEntries(axes.map(({ name, values }) => [name, values[0]])),
    };
    for (const { name, values } of axes)
      for (const value of values) completeParams(signal, { ...complete, [name]: value });
    return completeParams(signal, complete);
  });
  if (params === undefined) return undefined;
  // The columns of another asset are known when its bars are found.
  if (reach?.asset === undefined) checkColumns(place, { signal, params, axes }, datasets, problems);
  const isOurs = (name: string | number) => typeof name === 'number' || Object.hasOwn(params, name);
  const constraints = [...signal.constraints, ...listed.filter(([a, , b]) => isOurs(a) && isOurs(b))];
  const fixed = new Set(Object.keys(renameLegacy(signal, (record.params ?? {}) as Record<string, unknown>)));
  const reached = reach === undefined || Object.keys(reach).length === 0 ? {} : { reach };
  return { signal, role, timeframe, ...reached, params, fixed, axes, constraints };
}

interface Axis {
  readonly name: string;
  readonly values: readonly AxisValue[];
}

function readAxes(place: string, signal: Signal, record: Readonly<Record<string, unknown>>, problems: Problems) {
  const sent = problems.attempt(place, () => renameLegacy(signal, asRecord('params_sweep', record.params_sweep))) ?? {};
  const axes: Axis[] = [];
  for (const name of Object.keys(sent).sort()) {
    const values = problems.attempt(place, () => readAxis(name, sent[name]));
    if (values !== undefined) axes.push({ name, values });
  }
  const specs = problems.attempt(place, () => specsFor(signal, record, axes));
  return axes.filter(({ name }) => {
    if (specs === undefined || Object.hasOwn(specs, name)) return true;
    const known = Object.keys(specs).join(', ') || 'none';
    problems.error(`${place}: unknown parameter ${quote(name)}, known are: ${known}`);
    return false;
  });
}

/** The parameters of the signal with its fixed values and the first of each swept one. */
function specsFor(signal: Signal, record: Readonly<Record<string, unknown>>, axes: readonly Axis[]): ParamSpecs {
  const first = Object.fromEntries(axes.map(({ name, values }) => [name, values[0]]));
  return paramsFor(signal, { ...renameLegacy(signal, asRecord('params', record.params)), ...first });
}

function readTimeframe(
  place: string,
  json: unknown,
  datasets: readonly SweepDataset[],
  takesWeeks: boolean,
  problems: Problems,
) {
  if (json === undefined || json === null) return null;
  const ms = typeof json === 'string' ? tryParseInterval(json) : null;
  if (ms === null) {
    problems.error(mustBe(place, 'a timeframe such as 1h', json));
    return null;
  }
  for (const timeframe of new Set(datasets.map((dataset) => dataset.timeframe))) {
    // biome-ignore lint/style/noNonNullAssertion: the timeframe was read before
    const runMs = tryParseInterval(timeframe)!;
    if (ms === runMs) continue;
    if (ms < runMs) problems.error(`${place} ${quote(json)} is finer than the dataset's ${timeframe}`);
    else if (!(apiTimeframeMs.has(ms) || (takesWeeks && ms === WEEK_MS)) || ms % runMs !== 0) {
      problems.error(`${place} ${quote(json)} cannot be built from bars of ${timeframe}`);
    }
  }
  return formatInterval(ms);
}

/** Every column that one of the parameter combinations reads beside the bars. */
export function columnsOfSignal({ signal, params, axes }: Pick<SweepSignal, 'signal' | 'params' | 'axes'>): string[] {
  const texts = axes.flatMap(({ name, values }) =>
    values.filter((value) => typeof value === 'string').map((value) => ({ ...params, [name]: value })),
  );
  return [...new Set([params, ...texts].flatMap((values) => columnsBeside(signal, values)))];
}

function checkColumns(
  place: string,
  swept: Pick<SweepSignal, 'signal' | 'params' | 'axes'>,
  datasets: readonly SweepDataset[],
  problems: Problems,
): void {
  for (const column of columnsOfSignal(swept)) {
    for (const { asset, timeframe, columns } of datasets) {
      if (columns.includes(column)) continue;
      const { name } = swept.signal;
      const lack = `${name} needs the column ${column}, which ${asset} ${timeframe} lacks`;
      problems.error(`${place}: ${lack}; ${howToAdd(column, asset)}`);
    }
  }
}

function asRecord(field: string, json: unknown): Record<string, ParamValue> {
  if (json === undefined || json === null) return {};
  if (typeof json === 'object' && !Array.isArray(json)) return json as Record<string, ParamValue>;
  throw new EngineError('INVALID_FIELD', mustBe(field, 'an object', json), { field });
}
