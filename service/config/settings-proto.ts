import {
  type ExecutionFieldName,
  fieldOf,
  positionColumns,
  positionFieldNames,
  presetNames,
  type SettingName,
  settingColumns,
  settingNames,
} from '../../engine/execution/index.js';

const types: Readonly<Record<string, string>> = {
  number: 'optional double',
  integer: 'optional int64',
  boolean: 'optional bool',
  string: 'optional string',
  object: 'map<string, CooldownLimits>',
  array: 'repeated SettingPair',
};

/** Columns of a line of a proto file. */
const WIDTH = 100;
const HEAD = 'message ExecutionSettings {\n';

/**
 * The message of the execution settings, from their table.
 * @param before the file as it is; a field keeps its number on the wire, a new one gets the next, and
 *   reserved ones stay so
 * @param shown the settings of the example, with their defaults
 */
export function settingsProto(before: string, shown: readonly ExecutionFieldName[]): string {
  const from = before.indexOf(HEAD);
  const to = before.indexOf('\n}\n', from);
  const old = new Map(
    [...before.slice(from, to).matchAll(/ (\w+) = (\d+)/g)].map(([, name, id]) => [name, Number(id)]),
  );
  const [reserved] = /^ {2}reserved .+;$/m.exec(before.slice(from, to)) ?? [];
  let last = Math.max(...[...old].flatMap(([name, id]) => (name === 'rest' ? [] : [id])));
  const idOf = (name: string): number => old.get(name) ?? ++last;
  const settings = Object.entries(settingSchemas).flatMap(([name, schema]) => fieldLines(name, idOf(name), schema));
  const preset = fieldLines('preset', idOf('preset'), {
    type: ['string', 'null'],
    enum: [...presetNames],
    description: 'settings by one name, in runs; the settings given beside it win over it',
  });
  const lines = [
    '  option (barline.message) = {',
    '    is_sparse: true',
    '    is_open: true',
    '    example:',
    ...exampleLines(shown),
    '  };',
    '',
    ...(reserved === undefined ? [] : [reserved]),
    ...settings,
    ...preset,
    '  google.protobuf.Struct rest = 100;',
  ];
  return `${before.slice(0, from)}${HEAD}${lines.join('\n')}${before.slice(to)}`;
}

function exampleLines(shown: readonly ExecutionFieldName[]): string[] {
  const parts = shown.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(settingSchemas[name].default)}`);
  return fillLines(`{${parts.join(', ')}}`.split(/(?<=, )/), WIDTH - 8).map((line) => `      '${line}'`);
}

type Schema = Partial<Omit<(typeof settingSchemas)[keyof typeof settingSchemas], 'type'>> & {
  readonly type: string | readonly string[];
};

function fieldLines(name: string, id: number, schema: Schema): string[] {
  const [type = ''] = [schema.type].flat();
  const head = `  ${types[type]} ${name} = ${id}`;
  const rules = fieldRules(schema);
  if (rules.length === 0) return [...commentLines(schema.description ?? ''), `${head};`];
  const inner = rules.join(', ');
  const line = `${head} [(barline.field) = {${inner}}];`;
  const field = line.length <= WIDTH ? [line] : [`${head} [(barline.field) = {`, `    ${inner}`, '  }];'];
  return [...commentLines(schema.description ?? ''), ...field];
}

function fieldRules({
  type,
  enum: among,
  minimum,
  exclusiveMinimum,
  maximum,
  exclusiveMaximum,
  default: value,
}: Schema) {
  const bounds = { gte: minimum, gt: exclusiveMinimum, lte: maximum, lt: exclusiveMaximum };
  return [
    ...(among === undefined ? [] : [`in: [${among.map((one) => JSON.stringify(one)).join(', ')}]`]),
    ...Object.entries(bounds).flatMap(([rule, bound]) => (bound === undefined ? [] : [`${rule}: ${bound}`])),
    ...(value === undefined ? [] : [`default: ${quoted(value)}`]),
    ...(type.includes('null') ? ['is_nullable: true'] : []),
  ];
}

/** Text stands as it is, anything else as JSON. */
function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

function commentLines(description: string): string[] {
  const [first = ''] = description.split(' ');
  const isLiteral = /[\d_]/.test(first); // such as v1, which keeps its spelling
  const sentence = `${isLiteral ? description : `${description[0]?.toUpperCase()}${description.slice(1)}`}.`;
  return fillLines(sentence.split(/(?<= )/), WIDTH - 4).map((line) => `  // ${line.trimEnd()}`);
}

/** Pieces of a text on as few lines as they fit. */
function fillLines(pieces: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const line = `${lines.at(-1) ?? ''}${piece}`;
    if (lines.length > 0 && line.length <= width) lines[lines.length - 1] = line;
    else lines.push(piece);
  }
  return lines;
}

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
