import { canonicalJson } from '../canonical-json.js';
import { publishedDefaults, resolveConfig, resolvedFields } from '../execution/index.js';
import { parseInterval } from '../series/intervals.js';
import { axisColumn } from './labels.js';
import { writtenConfig } from './read-variants.js';
import { type Settings, withValue } from './variants.js';

/** Charged wherever a run trades, so that a definition always names them. */
const costs = ['fee_pct', 'slippage_pct'];

/**
 * The settings of a row as the file of a strategy holds them: all that the sweep or a preset chose, and
 * the costs. Others are at their defaults, which every run has.
 *
 * @param config `execution_config` of a plan that was accepted
 */
export function settingsOfRow(config: unknown, row: Settings): Settings {
  const { base, axes } = writtenConfig(config);
  let written = base;
  for (const { param } of axes) {
    const { path, name } = axisColumn(String(param).split('.'));
    written = withValue(written, path, valueOfCell(row[name]));
  }
  const interval = parseInterval(String(row.timeframe));
  const { config: resolved } = resolveConfig({ request: written, interval, takesPositionFields: true });
  const defaults: Settings = publishedDefaults;
  return Object.fromEntries(
    Object.entries(resolved).filter(([name, value]) => {
      if (Object.hasOwn(resolvedFields, name)) return false;
      if (Object.hasOwn(written, name) || costs.includes(name)) return true;
      return canonicalJson(value) !== canonicalJson(defaults[name] ?? null);
    }),
  );
}

/** A cell holds pairs as their JSON. */
const valueOfCell = (cell: unknown): unknown =>
  typeof cell === 'string' && cell.startsWith('[') ? JSON.parse(cell) : (cell ?? null);
