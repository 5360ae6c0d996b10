import type { Route } from '../route.js';
import { type JsonSchema, requireMessageFacts } from '../schemas.js';
import { UNREAD_HEADER } from '../unread-keys.js';
import { isChange, requiredAccess, routeMeter } from './failures.js';

/** The parts of an OpenAPI document that the code reads or writes. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string }[];
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: object;
    readonly responses: Readonly<Record<string, object>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface OpenApiParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/* Headers of requests and answers, as the document describes them. */

const text = (description: string, bounds: JsonSchema = {}) => ({ description, schema: { type: 'string', ...bounds } });

/** Without examples, because the docs page would send them. */
const requestHeaders = {
  'X-Fields': text('Fields of the answer to keep, such as `name,strategy{id,rules{entry}}`.'),
  'X-Request-Id': text('An id of your own for the log lines of this request.', { pattern: '^[\\w.:-]{1,128}$' }),
  'Idempotency-Key': text(
    'Makes the call take effect once: the same key and request within 24 hours get the first answer again. Visible ASCII characters.',
    { minLength: 1, maxLength: 255 },
  ),
  'X-Management-Key': text('The management key of the server.'),
  'Last-Event-ID': text('Same as `last_event_id`.'),
};

const MANAGEMENT_KEY = 'X-Management-Key';

type RequestHeader = keyof typeof requestHeaders;

const isResumable = ({ toFrames, query }: Route): boolean =>
  toFrames !== undefined && 'last_event_id' in (query?.shape ?? {});

export function listRequestHeaders(route: Route): readonly OpenApiParameter[] {
  const isPlain = route.send === undefined;
  const names: readonly RequestHeader[] = [
    ...(isPlain ? (['X-Fields'] as const) : []),
    'X-Request-Id',
    ...(isChange(route) && requiredAccess(route) !== 'public' ? (['Idempotency-Key'] as const) : []),
    ...(isResumable(route) ? (['Last-Event-ID'] as const) : []),
  ];
  const optional = names.map((name): OpenApiParameter => ({ name, in: 'header', ...requestHeaders[name] }));
  if (requiredAccess(route) !== 'management') return optional;
  return [...optional, { name: MANAGEMENT_KEY, in: 'header', required: true, ...requestHeaders[MANAGEMENT_KEY] }];
}

const whole = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0, example },
});
const words = (description: string, example: string) => ({ description, schema: { type: 'string', example } });

/** Headers of every answer, for the components of the document. */
export const answerHeaders = {
  'X-Correlation-Id': words('The id of this request in the logs: yours, or a new one.', 'my-request-1'),
  'RateLimit-Limit': whole('Requests that the credential may make in a window.', 60_000),
  'RateLimit-Remaining': whole('Requests that are left in this window.', 59_999),
  'RateLimit-Reset': whole('Seconds until the next window.', 60),
  'Retry-After': whole('Seconds to wait before the next attempt.', 1),
  'Idempotent-Replayed': words('`true` for the answer of an earlier call with the same Idempotency-Key.', 'true'),
  'X-Billed-Units': whole('Units that the call counted as.', 1),
  [UNREAD_HEADER]: words(
    'Keys of query and body that nothing reads, such as misspelled ones.',
    'query: "limt" is not a key here, did you mean limit?',
  ),
  Age: whole('Seconds since the provider answered.', 12),
  'Cache-Control': words('For how many seconds the answer counts as fresh.', 'private, max-age=60'),
  Location: words('The address of the sign-in page.', 'https://accounts.example.com/authorize'),
};

type AnswerHeader = keyof typeof answerHeaders;

const everywhere = ['X-Correlation-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

const referred = (names: readonly AnswerHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const successHeaders = (route: Route) =>
  referred([
    ...everywhere,
    UNREAD_HEADER,
    ...(isChange(route) && requiredAccess(route) !== 'public' ? (['Idempotent-Replayed'] as const) : []),
    ...(routeMeter(route) === null ? [] : (['X-Billed-Units'] as const)),
    ...(hasAge(route) ? (['Age', 'Cache-Control'] as const) : []),
    ...(route.endpoint.status === 302 ? (['Location'] as const) : []),
  ]);

/** Answers that say how old they are have it in headers too. */
const hasAge = ({ endpoint }: Route): boolean => 'max_age_seconds' in requireMessageFacts(endpoint.reply).fields;

/** Statuses after which waiting may help. */
const waiting: readonly number[] = [409, 429, 503];

export const failureHeaders = (status: number) =>
  referred([...everywhere, ...(waiting.includes(status) ? (['Retry-After'] as const) : [])]);
