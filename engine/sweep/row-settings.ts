import { resolveConfig, resolvedFields } from '../execution/index.js';
import { parseInterval } from '../series/intervals.js';
import { axisColumn } from './labels.js';
import { writtenConfig } from './read-variants.js';
import { type Settings, withValue } from './variants.js';

/**
 * The settings of a row as the file of a strategy holds them: every one, costs and defaults too, so that
 * the file does not depend on the defaults of the door that runs it.
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
  // Without tiers the older cooldown keys apply, and a key without value says nothing.
  const isTold = (name: string, value: unknown) => name !== 'cooldown_config' || value !== null;
  return Object.fromEntries(
    Object.entries(resolved).filter(([name, value]) => !Object.hasOwn(resolvedFields, name) && isTold(name, value)),
  );
}

/** A cell holds pairs as their JSON. */
const valueOfCell = (cell: unknown): unknown =>
  typeof cell === 'string' && cell.startsWith('[') ? JSON.parse(cell) : (cell ?? null);
