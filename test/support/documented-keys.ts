/** What of a JSON Schema says which keys a value may have. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

type Schemas = Readonly<Record<string, unknown>>;

/** Parts of each schema met so far, since the answers of a process have few schemas and many values. */
const known = new WeakMap<Schema, readonly Schema[]>();

/** The schemas of which a schema is made: itself without references and combinations. */
function partsOf(schema: Schema, schemas: Schemas): readonly Schema[] {
  const parts = known.get(schema) ?? unfolded(schema, schemas);
  known.set(schema, parts);
  return parts;
}

function unfolded(schema: Schema, schemas: Schemas): readonly Schema[] {
  if (schema.$ref !== undefined) return partsOf(schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema, schemas);
  const inner = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...inner.flatMap((each) => partsOf(each, schemas))];
}

const anyOf = (schemas: readonly Schema[]): Schema =>
  schemas.length === 1 ? (schemas[0] as Schema) : { anyOf: schemas };

/**
 * The keys of an answer that its schema does not name, by path: `trades[].funding_paid`. A schema
 * without properties, or one that allows further keys, allows every key.
 */
export function undocumentedKeys(value: unknown, schema: Schema, schemas: Schemas, path = ''): string[] {
  const parts = partsOf(schema, schemas);
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    if (items.length === 0) return [];
    const item = anyOf(items);
    return value.flatMap((each) => undocumentedKeys(each, item, schemas, `${path}[]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const objects = parts.filter((part) => part.properties !== undefined || part.additionalProperties !== undefined);
  if (objects.length === 0) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const named = objects.flatMap((part) => part.properties?.[key] ?? []);
    const rest = objects.flatMap(({ additionalProperties: more }) => (typeof more === 'object' ? [more] : []));
    const at = path === '' ? key : `${path}.${key}`;
    if (named.length > 0) return undocumentedKeys(inner, anyOf(named), schemas, at);
    if (rest.length > 0) return undocumentedKeys(inner, anyOf(rest), schemas, at);
    return objects.some(({ additionalProperties: more }) => more === true) ? [] : [at];
  });
}
