import { EngineError, quote } from '../errors.js';
import { type ExecutionConfig, executionFieldNames, publishedDefaults, resolveConfig } from '../execution/index.js';
import { nearestName } from '../nearest.js';
import { type AxisValue, readAxis } from './axis.js';
import type { Problems } from './problems.js';

interface VariantAxis {
  /** `['cooldown_config', '1h', 'short_loss_limit']` */
  readonly path: readonly string[];
  readonly values: readonly AxisValue[];
}

type Settings = Readonly<Record<string, unknown>>;

/** The execution settings of a sweep: a base, and the product of its axes, the last one varying fastest. */
export class Variants {
  readonly count: number;
  /** By interval and index. */
  readonly #resolved = new Map<number, Map<number, ExecutionConfig>>();

  constructor(
    readonly base: Settings,
    readonly axes: readonly VariantAxis[],
  ) {
    this.count = axes.reduce((count, { values }) => count * values.length, 1);
  }

  /** Settings of variant `index` as a user would write them. */
  settings(index: number): Settings {
    let settings = this.base;
    let rest = index;
    for (let a = this.axes.length - 1; a >= 0; a--) {
      const { path, values } = this.axes[a];
      settings = withValue(settings, path, values[rest % values.length]);
      rest = Math.floor(rest / values.length);
    }
    return settings;
  }

  /** Variants one step away along one axis. */
  neighbours(index: number): number[] {
    const found: number[] = [];
    let stride = 1;
    for (let a = this.axes.length - 1; a >= 0; a--) {
      const { length } = this.axes[a].values;
      const digit = Math.floor(index / stride) % length;
      if (digit > 0) found.push(index - stride);
      if (digit < length - 1) found.push(index + stride);
      stride *= length;
    }
    return found;
  }

  /** @throws EngineError when a variant cannot be resolved although each of its values could */
  config(index: number, intervalMs: number): ExecutionConfig {
    let resolved = this.#resolved.get(intervalMs);
    if (resolved === undefined) {
      resolved = new Map();
      this.#resolved.set(intervalMs, resolved);
    }
    let config = resolved.get(index);
    if (config === undefined) {
      config = resolveConfig({ request: this.settings(index), interval: intervalMs }).config;
      if (resolved.size >= RESOLVED_MAX) resolved.clear();
      resolved.set(index, config);
    }
    return config;
  }
}

/** Resolved configurations kept of an interval; a sweep walks through its variants in order. */
const RESOLVED_MAX = 4_096;

function withValue(settings: Settings, [key, ...path]: readonly string[], value: unknown): Settings {
  if (path.length === 0) return { ...settings, [key]: value };
  const inner = settings[key] ?? (publishedDefaults as Settings)[key] ?? {};
  return { ...settings, [key]: withValue(inner as Settings, path, value) };
}

/**
 * Reads `{base, sweep_axes: [{param, values} | {param, min, max, step}]}`; each value is tried on the base, for every interval.
 */
export function readVariants(json: unknown, intervals: readonly number[], problems: Problems): Variants {
  const place = 'execution_config';
  const none = new Variants({}, []);
  if (json === undefined || json === null) return none;
  if (typeof json !== 'object' || Array.isArray(json)) {
    problems.error(`${place} must be an object {base, sweep_axes}, was ${quote(json)}`);
    return none;
  }
  const { base, sweep_axes: sent } = json as Settings;
  problems.warnUnknown(place, json, ['base', 'sweep_axes']);
  const settings = problems.attempt(`${place}.base`, () => checkSettings(base ?? {}, intervals)) ?? {};
  if (sent !== undefined && sent !== null && !Array.isArray(sent)) {
    problems.error(`${place}.sweep_axes must be a list, was ${quote(sent)}`);
  }
  const axes: VariantAxis[] = [];
  for (const [i, axis] of (Array.isArray(sent) ? sent : []).entries()) {
    const read = problems.attempt(`${place}.sweep_axes[${i}]`, () => readVariantAxis(axis, settings, intervals));
    if (read === undefined) continue;
    const name = read.path.join('.');
    if (axes.some(({ path }) => path.join('.') === name)) problems.error(`${place}: ${name} is swept twice`);
    axes.push(read);
  }
  return new Variants(settings, axes);
}

function checkSettings(base: unknown, intervals: readonly number[]): Settings {
  for (const interval of intervals) resolveConfig({ request: base, interval });
  return base as Settings;
}

function readVariantAxis(json: unknown, base: Settings, intervals: readonly number[]): VariantAxis {
  const { param } = (json ?? {}) as Settings;
  if (typeof param !== 'string') {
    throw new EngineError('MISSING_FIELD', 'param is required: the name of an execution field', { field: 'param' });
  }
  const path = param.split('.');
  if (!(executionFieldNames as readonly string[]).includes(path[0])) {
    const hint = nearestName(path[0], executionFieldNames);
    const suggestion = hint === null ? '' : `, did you mean ${hint}?`;
    throw new EngineError('INVALID_FIELD', `unknown execution field ${quote(path[0])}${suggestion}`, { field: param });
  }
  const values = readAxis(param, json);
  for (const value of values) checkSettings(withValue(base, path, value), intervals);
  return { path, values };
}
