import {
  type ExecutionConfig,
  type PositionFieldName,
  positionFieldNames,
  publishedDefaults,
  resolveConfig,
  usedPositionFields,
} from '../execution/index.js';
import type { SettingValue } from './axis.js';
import { type AxisColumn, axisColumn } from './labels.js';

export interface VariantAxis {
  /** `['cooldown_config', '1h', 'short_loss_limit']` */
  readonly path: readonly string[];
  readonly values: readonly SettingValue[];
}

/** Execution settings as a user would write them. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * The execution settings of a sweep: a base, and the product of its axes, the last one varying
 * fastest.
 */
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

  /** The column of each axis in result rows, in order. */
  axisColumns(): AxisColumn[] {
    return this.axes.map(({ path }) => axisColumn(path));
  }

  /** The settings of `positionFields` that some variant uses, in the order of the table. */
  positionFields(): PositionFieldName[] {
    const swept = new Set(this.axes.map(({ path }) => path[0]));
    const used = usedPositionFields(this.base);
    return positionFieldNames.filter((name) => swept.has(name) || used.includes(name));
  }

  /** The intervals of finer bars that some variant names. */
  detailIntervals(): string[] {
    const axis = this.axes.find(({ path }) => path[0] === 'detail_interval');
    const named = axis?.values ?? [this.base.detail_interval];
    return named.filter((interval) => typeof interval === 'string');
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

  /**
   * Every variant has a config, because `readVariants` refuses values that are invalid together.
   */
  config(index: number, intervalMs: number): ExecutionConfig {
    let resolved = this.#resolved.get(intervalMs);
    if (resolved === undefined) {
      resolved = new Map();
      this.#resolved.set(intervalMs, resolved);
    }
    let config = resolved.get(index);
    if (config === undefined) {
      // `readVariants` has refused position fields where the sweep does not take them.
      const sources = { request: this.settings(index), interval: intervalMs, takesPositionFields: true };
      config = resolveConfig(sources).config;
      if (resolved.size >= RESOLVED_MAX) resolved.clear();
      resolved.set(index, config);
    }
    return config;
  }
}

/** Resolved configurations cached per interval; a sweep visits its variants in order. */
const RESOLVED_MAX = 4_096;

export function withValue(settings: Settings, [key, ...path]: readonly string[], value: unknown): Settings {
  if (path.length === 0) return { ...settings, [key]: value };
  const inner = settings[key] ?? (publishedDefaults as Settings)[key] ?? {};
  return { ...settings, [key]: withValue(inner as Settings, path, value) };
}
