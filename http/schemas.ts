import { type Endpoint, type FieldFacts, type MessageFacts, messageFacts } from '../contract/index.js';

/** A schema of JSON, in the dialect of OpenAPI 3.1. */
export type JsonSchema = { readonly [key: string]: unknown };

/** The schema of an object, which is what requests and most answers are. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** Where a message stands: in a reply, null takes the place of an optional field that is not set. */
type Side = 'request' | 'reply';

const formats: Readonly<Record<string, string>> = {
  DATE_TIME: 'date-time',
  UUID: 'uuid',
  EMAIL: 'email',
  URI: 'uri',
  DATE: 'date',
};

const jsonTypes: Readonly<Record<string, JsonSchema>> = {
  NUMBER: { type: 'number' },
  TEXT: { type: 'string' },
  FLAG: { type: 'boolean' },
  NULL: { type: 'null' },
  NUMBERS: { type: 'array', items: { type: 'number' } },
  TEXTS: { type: 'array', items: { type: 'string' } },
  OBJECT: { type: 'object', additionalProperties: {} },
};

function anyOf(types: readonly string[] = []): JsonSchema {
  const [first, ...others] = types.map((type) => jsonTypes[type] ?? {});
  if (first === undefined) return {};
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

/** The facts about a message. @throws Error for a name that the contract does not have */
export function requireMessageFacts(message: string): MessageFacts {
  const facts = messageFacts[message];
  if (facts === undefined) throw new Error(`the contract has no message ${message}`);
  return facts;
}

/** Schemas of messages. The messages that they name become components, each described once. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};
  /** A message that requests and replies share is described as replies have it, with its nulls. */
  readonly #sides = new Map<string, Side>();

  /**
   * The schema of a field, with its bounds, its default and its comment.
   * @param isOfComponent whether generators of clients make a field with a default required, or send
   *   the default unasked, which would win over what a strategy says: the description has it instead
   */
  field(facts: FieldFacts, side: Side, isSparse = false, isOfComponent = false): JsonSchema {
    const { default: initial } = facts;
    const isOrNull = isNullable(facts, side, isSparse);
    const schema = this.#container(facts, side);
    // Generators drop each operation with an object as the default of a nullable field.
    const isRefused = (isOrNull || schema.anyOf !== undefined) && typeof initial === 'object' && initial !== null;
    const isInWords = isOfComponent || isRefused;
    const isUnsaid = initial !== undefined && isInWords && !/\bdefault/i.test(facts.comment);
    const comment = isUnsaid ? `${facts.comment} Default: ${JSON.stringify(initial)}.`.trim() : facts.comment;
    const described = {
      ...(initial === undefined || isInWords ? {} : { default: initial }),
      ...(comment === '' ? {} : { description: comment }),
    };
    return { ...(isOrNull ? orNull(schema) : schema), ...described };
  }

  /** The fields of a message, without the omitted ones. */
  object(message: string, side: Side, leftOut: readonly string[] = [], isComponent = false): ObjectSchema {
    const { fields, isSparse, isOpen } = requireMessageFacts(message);
    const shown = Object.entries(fields).filter(([name]) => !leftOut.includes(name));
    const required = shown.filter(([, facts]) => isRequired(facts, side, isSparse)).map(([name]) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(
        shown.map(([name, facts]) => [name, this.field(facts, side, isSparse, isComponent)]),
      ),
      ...(required.length === 0 ? {} : { required }),
      ...(isOpen ? { additionalProperties: {} } : {}),
    };
  }

  /** A reference to a message, which is described among the components. */
  reference(message: string, side: Side): JsonSchema {
    const described = this.#sides.get(message);
    if (described === undefined || (described === 'request' && side === 'reply')) {
      this.#sides.set(message, side); // set first: a message may hold itself
      const { comment, isTuple } = requireMessageFacts(message);
      this.components[message] = {
        ...(isTuple ? this.#tuple(message, side) : this.object(message, side, [], true)),
        ...(comment === '' ? {} : { description: comment }),
      };
    }
    return { $ref: `#/components/schemas/${message}` };
  }

  /** Places of a list have no schema of their own, because generators of clients do not read one. */
  #tuple(message: string, side: Side): JsonSchema {
    const places = Object.values(requireMessageFacts(message).fields).map((facts) => this.#one(facts, side));
    const [first, ...others] = new Map(places.map((schema) => [JSON.stringify(schema), schema])).values();
    const items = others.length === 0 ? first : { anyOf: [first, ...others] };
    return { type: 'array', items, minItems: places.length, maxItems: places.length };
  }

  #container(facts: FieldFacts, side: Side): JsonSchema {
    const { isList, isMap, minItems, maxItems, jsonItems, mayChoose } = facts;
    if (jsonItems !== undefined) return { type: 'array', items: this.reference(jsonItems, side) };
    const one = this.#one(facts, side);
    if (isMap) return { type: 'object', additionalProperties: one };
    if (!isList) return one;
    const list = {
      type: 'array',
      items: one,
      ...(minItems === undefined ? {} : { minItems }),
      ...(maxItems === undefined ? {} : { maxItems }),
    };
    return mayChoose ? { anyOf: [list, choice(list)] } : list;
  }

  #one(facts: FieldFacts, side: Side): JsonSchema {
    const { message, type, format, pattern, minLen, maxLen } = facts;
    if (message !== undefined) return this.reference(message, side);
    if (type === 'Struct') return { type: 'object', additionalProperties: anyOf(facts.json) };
    if (type === 'ListValue') return { type: 'array', items: anyOf(facts.json) };
    if (type === 'Value') return facts.refused === undefined ? anyOf(facts.json) : { type: 'null' };
    if (type === 'bool') return { type: 'boolean' };
    if (type === 'bytes') return { type: 'string', format: 'binary' };
    if (type !== 'string') return { type: isWhole(facts) ? 'integer' : 'number', ...bounds(facts) };
    return {
      type: 'string',
      ...(facts.in === undefined ? {} : { enum: facts.in }),
      ...(format === undefined ? {} : { format: formats[format] }),
      ...(pattern === undefined ? {} : { pattern }),
      ...(minLen === undefined ? {} : { minLength: minLen }),
      ...(maxLen === undefined ? {} : { maxLength: maxLen }),
    };
  }
}

const isWhole = ({ type, isWhole: is }: FieldFacts): boolean => is === true || type !== 'double';

const bounds = ({ gt, gte, lt, lte }: FieldFacts): JsonSchema => ({
  ...(gte === undefined ? {} : { minimum: gte }),
  ...(gt === undefined ? {} : { exclusiveMinimum: gt }),
  ...(lte === undefined ? {} : { maximum: lte }),
  ...(lt === undefined ? {} : { exclusiveMaximum: lt }),
});

function isNullable(facts: FieldFacts, side: Side, isSparse: boolean): boolean {
  if (facts.isNullable) return facts.omitUnset !== true;
  return side === 'reply' && !isSparse && facts.isOptional === true && facts.omitUnset !== true;
}

const isRequired = (facts: FieldFacts, side: Side, isSparse: boolean): boolean =>
  facts.required === true || (side === 'reply' && !isSparse && facts.omitUnset !== true && facts.omitEmpty !== true);

/** One of several lists. */
const choice = (list: JsonSchema): ObjectSchema => ({
  type: 'object',
  properties: { any: { type: 'array', items: list, minItems: 1 } },
  required: ['any'],
});

function orNull(schema: JsonSchema): JsonSchema {
  if (schema.anyOf !== undefined) return { anyOf: [...(schema.anyOf as readonly JsonSchema[]), { type: 'null' }] };
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  if (schema.type === undefined) return schema; // any value, null among them
  const among = schema.enum as readonly unknown[] | undefined;
  return { ...schema, type: [schema.type, 'null'], ...(among === undefined ? {} : { enum: [...among, null] }) };
}

const success: JsonSchema = { type: 'boolean', enum: [true] };

/** The whole answer of a method, as its translation makes it of the reply. */
export function answerSchema(schemas: Schemas, { reply, isPlain }: Endpoint, responseBody?: string): JsonSchema {
  if (responseBody !== undefined) {
    const facts = requireMessageFacts(reply).fields[responseBody];
    if (facts === undefined) throw new Error(`${reply} has no field ${responseBody}`);
    return schemas.field(facts, 'reply');
  }
  if (isPlain) return schemas.reference(reply, 'reply');
  return withSuccess(schemas.object(reply, 'reply'));
}

/** An object that says that the call has succeeded. */
export function withSuccess(object: ObjectSchema): ObjectSchema {
  const { properties, required = [], ...others } = object as ObjectSchema & { readonly required?: readonly string[] };
  const { success: given, ...own } = properties;
  return {
    ...others,
    type: 'object',
    properties: { success: given ?? success, ...own },
    required: ['success', ...required.filter((name) => name !== 'success')],
  };
}
