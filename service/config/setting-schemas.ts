import {
  fieldOf,
  positionColumns,
  positionFieldNames,
  type SettingName,
  settingColumns,
  settingNames,
} from '../../engine/execution/index.js';

type JsonType = 'number' | 'integer' | 'boolean' | 'string' | 'object' | 'array' | 'null';

/** What a setting may hold, in JSON Schema terms. */
type SettingSchema = {
  readonly type: JsonType | JsonType[];
  readonly enum?: string[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly default: unknown;
  readonly description: string;
};

function settingSchema(name: SettingName): SettingSchema {
  const { kind, values, nullable, unit, description, default: value, min, above, max, below } = fieldOf(name);
  const type = kind === 'pairs' ? 'array' : isJsonType(kind) ? kind : 'string';
  return {
    type: nullable ? [type, 'null'] : type,
    ...(values !== undefined && { enum: [...values] }),
    ...(min !== undefined && { minimum: min }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    ...(max !== undefined && { maximum: max }),
    ...(below !== undefined && { exclusiveMaximum: below }),
    default: value,
    description: unit === undefined ? description : `${description} (${unit})`,
  };
}

const isJsonType = (kind: string): kind is Exclude<JsonType, 'array' | 'null'> =>
  ['number', 'integer', 'boolean', 'object'].includes(kind);

/** Every execution setting, for API documents. The engine checks the values. */
export const settingSchemas = Object.fromEntries(settingNames.map((name) => [name, settingSchema(name)])) as Readonly<
  Record<SettingName, SettingSchema>
>;

/** Columns of result rows that hold a setting of the run. */
export const settingColumnNames: readonly string[] = [...settingColumns, ...positionColumns(positionFieldNames)].map(
  ({ name }) => name,
);
