import type { FieldBounds } from './bounds.js';
import type { ExecutionConfig } from './config.js';
import type { ResolvedField } from './field.js';
import type { PositionFieldName } from './position-fields.js';
import { resolvedFields } from './resolved-fields.js';
import { executionFieldNames, fieldOf } from './settings.js';

/** A column of result rows that holds an execution setting. */
export interface SettingColumn {
  readonly name: string;
  /** Pairs are written as JSON. */
  readonly kind: Exclude<FieldBounds['kind'], 'object'>;
  readonly setting: keyof ExecutionConfig;
}

/**
 * Of the settings that every config holds, in the order of the table. An object setting has one column per field that it resolves to.
 */
export const settingColumns: readonly SettingColumn[] = executionFieldNames.flatMap((name): SettingColumn[] => {
  const { kind, column = name } = fieldOf(name);
  return kind === 'object' ? resolvedColumns(name) : [{ name: column, kind, setting: name }];
});

function resolvedColumns(of: string): SettingColumn[] {
  const parts = Object.entries<ResolvedField>(resolvedFields).filter(([, field]) => field.of === of);
  return parts.map(([name, { kind }]) => ({ name, kind, setting: name }) as SettingColumn);
}

/** The columns of settings that a config may leave out, for rows of a sweep that uses them. */
export const positionColumns = (names: readonly PositionFieldName[]): SettingColumn[] =>
  names.map((name) => ({ name, kind: fieldOf(name).kind, setting: name }) as SettingColumn);
