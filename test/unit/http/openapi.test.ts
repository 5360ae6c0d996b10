import assert from 'node:assert/strict';
import test from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApiDocument } from '../../../http/openapi.js';
import { routes } from '../../../http/routes.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly description?: string;
    readonly schema: Schema & { example?: unknown };
  }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example?: object } };
  };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

const document = JSON.parse(JSON.stringify(openApiDocument(routes, '0.0.0-test'))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
};

const operations = routes.map((route) => ({
  route,
  name: `${route.method} ${route.path}`,
  operation: document.paths[route.path]?.[route.method] as Operation,
}));

const resolved = (answer: Answer): Answer =>
  document.components.responses[answer.$ref?.split('/').at(-1) ?? ''] ?? answer;

/** Places of arrays that do not say what they hold. */
function bareArrays(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type } = value as { type?: unknown };
  const isBare = [type].flat().includes('array') && !('items' in value);
  const inner = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples');
  return [...(isBare ? [place] : []), ...inner.flatMap(([key, each]) => bareArrays(each, `${place}/${key}`))];
}

test('every array says what it holds', () => {
  assert.deepEqual(bareArrays(openApiDocument(routes, 'test')), []);
});

test('the document is OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors));
});

test('every operation has a readable id of its own, a description and what it needs', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { name, operation } of operations) {
    assert.match(operation.operationId, /^[a-z][A-Za-z]+$/, name);
    assert.ok(operation.summary.length > 10 && operation.tags.length === 1, name);
    assert.match(operation.description, /Needs /, name);
    assert.ok(operation.description.length > 40, name);
  }
});

test('every operation says what each failure may be, and every answer has the headers of its rate', () => {
  const rate = ['X-Correlation-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
  for (const { name, operation, route } of operations) {
    const statuses = Object.keys(operation.responses);
    assert.ok(!statuses.includes('default'), name);
    for (const status of ['400', '429', '500', '503', String(route.endpoint.status)]) {
      assert.ok(statuses.includes(status), `${name} ${status}`);
    }
    assert.equal(
      statuses.includes('401') || route.rpc.startsWith('Auth.'),
      route.isPublic !== true || route.rpc.startsWith('Auth.'),
      name,
    );
    for (const [status, answer] of Object.entries(operation.responses).map(
      ([key, one]) => [key, resolved(one)] as const,
    )) {
      for (const header of rate) assert.ok(header in (answer.headers ?? {}), `${name} ${status} ${header}`);
      if (status === '429' || status === '503') assert.ok('Retry-After' in (answer.headers ?? {}), `${name} ${status}`);
      if (Number(status) >= 400) assert.match(answer.description, /`[A-Za-z_]+`/, `${name} ${status}`);
    }
  }
});

test('every parameter is described, and changes take an Idempotency-Key', () => {
  for (const { name, operation, route } of operations) {
    for (const { name: parameter, description, schema } of operation.parameters ?? []) {
      assert.ok(description ?? schema.description, `${name}: ${parameter}`);
    }
    const headers = (operation.parameters ?? []).filter((one) => one.in === 'header').map((one) => one.name);
    assert.equal(headers.includes('Idempotency-Key'), route.method !== 'get' && route.isPublic !== true, name);
    assert.equal(headers.includes('X-Management-Key'), /X-Management-Key/.test(operation.description), name);
  }
});

/** Values whose keys the service does not know, by the name of their field. */
const free = [
  ...['ohlcv', 'params', 'result'], // of the knowledge base
  'portfolio', // as it was written
  // Of a conversation.
  ...['working_context', 'collected_info', 'rules', 'strategy_config', 'backtest_results'],
  ...['llm_response_metadata', 'token_estimates'],
  'user_intent',
  'open_positions',
  'risk_params',
  'manifest',
  'request',
  'data',
  'dataset', // text, or the record of a dataset with all its keys
  'walk_forward', // figures by name
  'filters', // of lists on chain, which repeat those that they do not know
];

function freeIn(schema: Schema, where: string): string[] {
  const { additionalProperties: others, properties, items, anyOf, allOf, type } = schema;
  const isBare = typeof others !== 'object' || Object.keys(others).length === 0;
  const isObject = [type].flat().includes('object');
  const hasForm = properties !== undefined || items !== undefined || anyOf !== undefined || allOf !== undefined;
  const isUntyped =
    type === undefined && !hasForm && !('$ref' in schema) && !('enum' in schema) && !('const' in schema);
  const own = (isObject && !hasForm && isBare) || isUntyped ? [where] : [];
  const parts: readonly (readonly [string, Schema])[] = [
    ...Object.entries(properties ?? {}),
    ...(items === undefined ? [] : [['', items] as const]),
    ...[...(anyOf ?? []), ...(allOf ?? []).filter((one) => Object.keys(one).some((key) => key !== 'description'))].map(
      (one) => ['', one] as const,
    ),
    ...(isBare ? [] : [['', others as Schema] as const]),
  ];
  return [...own, ...parts.flatMap(([name, part]) => freeIn(part, name === '' ? where : `${where}.${name}`))];
}

test('no field of free form is left but those whose keys belong to the client', () => {
  const bodies = operations.flatMap(({ name, operation }) => {
    const body = operation.requestBody?.content['application/json'].schema;
    const answers = Object.values(operation.responses).flatMap((one) => Object.values(one.content ?? {}));
    return [...(body === undefined ? [] : [body]), ...answers.map(({ schema }) => schema)].flatMap((one) =>
      freeIn(one, name),
    );
  });
  const named = Object.entries(document.components.schemas).flatMap(([name, schema]) => freeIn(schema, name));
  const unknown = [...bodies, ...named].filter((where) => !free.includes(where.split('.').at(-1) ?? ''));
  assert.deepEqual(unknown, []);
});

/** Every schema of a document, with the place where it stands. */
function* schemasIn(value: unknown, place = ''): Generator<[place: string, schema: Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value as Readonly<Record<string, unknown>>];
  for (const [key, part] of Object.entries(value)) yield* schemasIn(part, `${place}/${key}`);
}

test('no field of a component has a default, which would be required of clients or sent by them unasked', () => {
  const given = Object.entries(document.components.schemas).flatMap(([component, { properties = {} }]) =>
    Object.entries(properties).flatMap(([name, field]) => ('default' in field ? [`${component}.${name}`] : [])),
  );
  assert.deepEqual(given, []);
});

test('no schema has a form that generators of clients refuse: an object or a list as the default of a nullable or composed one', () => {
  const refused = [...schemasIn(document.components.schemas, 'schemas'), ...schemasIn(document.paths, 'paths')].filter(
    ([, { type, anyOf, default: initial }]) =>
      typeof initial === 'object' && initial !== null && (anyOf !== undefined || Array.isArray(type)),
  );
  assert.deepEqual(
    refused.map(([place]) => place),
    [],
  );
  const settings = document.components.schemas.ExecutionSettings?.properties;
  assert.match(settings?.cooldown_config?.description ?? '', /Default: \{"5m":.*\}\.$/);
});
