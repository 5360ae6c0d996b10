import { executionFields } from '../execution/config.js';
import type { ExecutionField } from '../execution/field.js';
import type { ExecutionConfig } from '../execution/index.js';
import { resolvedFields } from '../execution/resolved-fields.js';

/*
 * Which runs the WebAssembly call covers, and which settings it reads: the table `executionFields`
 * says it with `fastPath`. A run that is not covered goes through `simulate`.
 */

type Settings = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, Pick<ExecutionField, 'default' | 'fastPath' | 'isLeftOut'>>>;
type Condition<Config> = (config: Config) => boolean;

/** A condition for each setting whose default alone the call covers. */
export const defaultsOnly = (fields: Fields): Condition<Settings>[] =>
  Object.entries(fields)
    .filter(([, { fastPath }]) => fastPath === 'default')
    .map(
      ([name, field]) =>
        (config) =>
          config[name] === (field.isLeftOut ? undefined : field.default),
    );

/** Most positions that a run in one call may hold at one time: 1.8 MB of them. */
export const POSITIONS_MAX = 10_000;

/** Most positions that a run may open: a bar fills at most an order of each side. */
export const entriesMax = (barCount: number): number => 2 * barCount;

const conditions = defaultsOnly(executionFields);

export const isCovered = (config: ExecutionConfig, barCount: number): boolean =>
  Math.min(config.max_open_positions, entriesMax(barCount)) <= POSITIONS_MAX &&
  conditions.every((covers) => covers(config));

type Table = typeof executionFields;

/** The settings that the call reads: some of the table, and what `resolveConfig` adds. */
export type ReadSetting =
  | { [Name in keyof Table]: Table[Name]['fastPath'] extends 'read' ? Name : never }[keyof Table]
  | keyof typeof resolvedFields;

export const readSettings = [
  ...Object.entries<ExecutionField>(executionFields)
    .filter(([, { fastPath }]) => fastPath === 'read')
    .map(([name]) => name),
  ...Object.keys(resolvedFields),
] as ReadSetting[];
