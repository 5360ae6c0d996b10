import { z } from 'zod';
import { resolveFolder } from '../../data/folder-of.js';
import { EngineError } from '../../engine/errors.js';
import { nearestName } from '../../engine/nearest.js';
import { clip } from '../../engine/text.js';
import {
  coinApi,
  coinGecko,
  defiLlama,
  exchange,
  languageModel,
  lunarCrush,
  nansen,
  whaleAlert,
} from '../providers/live.js';
import {
  asset,
  bucketAddress,
  columnList,
  evmAddress,
  integer,
  issuer,
  jsonSchema,
  key,
  redirect,
  type SchemasOf,
  secret,
  setting,
  tier,
  trustedProxies,
  webAddress,
  workload,
} from './setting.js';

const port = integer(0, 65_535);

/** Every variable of the service, in the order in which they are listed. */
const settings = {
  BARLINE_HOME: setting(
    z.string().min(1).default('.barline').transform(resolveFolder),
    'Folder of bars, runs, sweeps and, without `DATABASE_URL`, of the embedded store.',
  ),
  DATABASE_URL: secret(
    z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    'PostgreSQL for the state (`postgres://…`). Without it the service keeps an embedded store in its home.',
  ),
  REDIS_URL: secret(
    z.url({ protocol: /^rediss?$/ }).optional(),
    "Redis for the queues (`redis://…`). Without it the queues live in the state's PostgreSQL.",
  ),
  BARLINE_OBJECTS: setting(
    bucketAddress.optional(),
    'Store of objects (`s3://bucket/prefix`) for bars, columns and the rows of experiments, in place of a folder that all hosts share.',
  ),
  BARLINE_OBJECTS_CACHE_MB: setting(
    integer(64, 1_048_576).default(10_240),
    'Room for rows that a host keeps of that store in its home; those in use stay beyond it.',
  ),
  AWS_ENDPOINT_URL_S3: setting(
    webAddress.optional(),
    'Address of a store other than AWS that speaks the protocol of S3.',
  ),
  AWS_REGION: setting(z.string().min(1).default('us-east-1'), 'Region of the bucket.'),
  AWS_ACCESS_KEY_ID: secret(key, 'Access key of the store of objects.'),
  AWS_SECRET_ACCESS_KEY: secret(key, 'Secret of that key.'),
  AWS_SESSION_TOKEN: secret(key, 'Token of a temporary key.'),
  BARLINE_HTTP_HOST: setting(
    z.string().min(1).default('127.0.0.1'),
    'Address on which REST listens; `0.0.0.0` is every one of this machine.',
  ),
  BARLINE_HTTP_PORT: setting(port.default(5001), 'Port of REST; 0 takes any free one.'),
  BARLINE_RPC_HOST: setting(
    z.string().min(1).default('127.0.0.1'),
    'Address on which gRPC listens, and where a process of REST alone finds it.',
  ),
  BARLINE_RPC_PORT: setting(port.default(50_051), 'Port of gRPC; 0 takes any free one.'),
  BARLINE_METRICS_PORT: setting(
    port.optional(),
    'A further port for `/live`, `/ready`, `/health` and `/metrics` alone: that of a worker, which serves nothing else.',
  ),
  BARLINE_METRICS_HOST: setting(z.string().min(1).default('127.0.0.1'), 'Address on which that port listens.'),
  BARLINE_DRAIN_MS: setting(
    integer(0, 60_000).default(0),
    'Time from the signal to stop, when `/ready` begins to fail, until the ports close: as long as a load balancer needs to notice.',
  ),
  BARLINE_CORS_ORIGIN: setting(z.string().min(1).default('*'), 'Origin whose pages may call REST; `*` for any.'),
  BARLINE_TRUSTED_PROXIES: setting(
    trustedProxies.optional(),
    'Proxies in front of REST whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: how many (`1`), or addresses, networks, `loopback`, `linklocal` and `uniquelocal`, separated by commas. Without it, a client is the address of its connection.',
  ),
  BARLINE_MCP_SESSIONS: setting(
    integer(1, 100_000).default(1_000),
    'Most sessions that clients of `/mcp` may have open.',
  ),
  BARLINE_MCP_IDLE_MS: setting(
    integer(1_000, 86_400_000).default(1_800_000),
    'Time without a request after which a session of `/mcp` ends.',
  ),
  BARLINE_LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    'Least level of the log.',
  ),
  BARLINE_LOG_FORMAT: setting(
    z.enum(['auto', 'json', 'readable']).default('auto'),
    '`auto` writes readable lines to a terminal and JSON to anything else.',
  ),
  BARLINE_TRACES: setting(
    z.enum(['off', 'otlp']).default('off'),
    '`otlp` sends spans by OpenTelemetry, whose packages must be installed, to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`.',
  ),
  BARLINE_RULE_COMPOSITION: setting(
    z.enum(['strict', 'relaxed']).default('strict'),
    'How the rules of a strategy must compose; `relaxed` also accepts one TRIGGER without a FILTER.',
  ),
  BARLINE_KEY_PREFIX: setting(
    z
      .string()
      .regex(/^[a-z]{2,12}$/, 'must be 2..12 lower-case letters')
      .default('local'),
    'Prefix of new API keys: 2..12 lower-case letters.',
  ),
  BARLINE_SECRET: secret(
    z.string().min(32).optional(),
    'Signs access tokens; at least 32 characters. Without it the service makes one and keeps it in the state.',
  ),
  BARLINE_MANAGEMENT_KEY: secret(
    z.string().min(16).optional(),
    'Opens the calls of the operator (header `X-Management-Key`); at least 16 characters. Without it they are closed.',
  ),
  BARLINE_OIDC_ISSUERS: setting(
    jsonSchema(z.array(issuer)).default([]),
    'Issuers whose ID tokens may log in: JSON `[{"issuer", "audiences", "jwksUri"?}]`.',
  ),
  BARLINE_OIDC_REDIRECT: secret(
    jsonSchema(redirect).optional(),
    'Login by redirect: JSON `{"issuer", "clientId", "clientSecret"?, "redirectUri"}`.',
  ),
  BARLINE_WORKLOADS: setting(
    jsonSchema(z.array(workload)).default([]),
    'Cloud identities that may call without a login: JSON `[{"issuer", "subject", "audience", "userId", "orgId", "scopes"?}]`.',
  ),
  BARLINE_DEV_SECRET: secret(
    z.string().min(16).optional(),
    'Development only: ID tokens signed with this secret may log in.',
  ),
  BARLINE_TIERS: setting(
    jsonSchema(z.array(tier).min(1)).optional(),
    'Tiers with their limits, in place of the built-in ones: JSON.',
  ),
  BARLINE_WEBHOOK_PRIVATE_HOSTS: setting(
    z.enum(['refuse', 'allow']).default('refuse'),
    'Whether webhooks may target this machine and its private network.',
  ),
  BARLINE_RATE_LIMIT_PER_MINUTE: setting(
    integer(1).default(60_000),
    'Requests a minute for each credential, or address without one.',
  ),
  BARLINE_STREAMS_PER_CREDENTIAL: setting(
    integer(1, 100_000).default(100),
    'Most streams and sessions of `/mcp` that one credential may have open.',
  ),
  BARLINE_STREAMS_PER_ORGANIZATION: setting(
    integer(1, 100_000).default(1_000),
    'Most streams and sessions of `/mcp` that one organization may have open.',
  ),
  BARLINE_BACKTEST_WAIT_MS: setting(
    integer(0, 9_999).default(5_000),
    'Longest wait of a synchronous backtest for the one before it.',
  ),
  BARLINE_QUEUED_PER_ORGANIZATION: setting(
    integer(1).default(1_000),
    'Most backtests of one organization that may wait.',
  ),
  BARLINE_QUEUED: setting(integer(1).default(10_000), 'Most backtests that may wait in all.'),
  BARLINE_THREADS: setting(
    integer(1, 256).optional(),
    'Threads that compute backtests. Default: all cores but one, at least 2.',
  ),
  BARLINE_SWEEP_THREADS: setting(integer(1, 256).optional(), 'Threads for experiments. Default: all cores but one.'),
  BARLINE_DEPLOYED: setting(
    z.string().min(1).transform(resolveFolder).optional(),
    'File of deployed strategies and personas that replaces the bundled one.',
  ),
  BARLINE_REPLAY_MS: setting(
    integer(0, 3_600_000).default(10_000),
    'Real time in which deployed strategies replay one hour of stored bars; 0 takes bars as they close.',
  ),
  BARLINE_REPLAY_DAYS: setting(
    integer(1, 36_500).default(90),
    'Days before the last stored bar at which deployed strategies begin.',
  ),
  BARLINE_COLUMNS: setting(
    columnList.default([]),
    'Columns beside bars that the service fills at its start and every hour: `BTC.PerpFundingRate, ETH.ChainTvl@defillama`.',
  ),
  BARLINE_QUERY_BYTES_MAX: setting(
    integer(10_485_760).default(1_073_741_824),
    'Most bytes that one data query may read, counted as billed.',
  ),
  BARLINE_QUERY_MEMORY_MB: setting(integer(64, 1_048_576).default(1_024), 'Memory of all data queries together.'),
  BARLINE_QUERY_THREADS: setting(integer(1, 256).default(2), 'Threads of data queries.'),
  BARLINE_QUERY_TIMEOUT_MS: setting(integer(1, 55_000).default(20_000), 'Longest time of a data query.'),
  ...nansen.settings,
  ...whaleAlert.settings,
  ...lunarCrush.settings,
  ...coinGecko.settings,
  ...coinApi.settings,
  ...defiLlama.settings,
  ...exchange.settings,
  BARLINE_X402_PAY_TO: setting(
    evmAddress.optional(),
    'Address that wallets pay for calls without a credential. Without it no call is sold.',
  ),
  BARLINE_X402_NETWORK: setting(
    z
      .string()
      .regex(/^eip155:[1-9]\d{0,15}$/, 'must be eip155: and a chain id')
      .optional(),
    'Network of the payments: `eip155:` and a chain id.',
  ),
  BARLINE_X402_ASSET: setting(
    jsonSchema(asset).optional(),
    'Token of the payments: JSON `{"address", "name", "version", "decimals"}`. Default: USDC on Base and Base Sepolia.',
  ),
  BARLINE_X402_FACILITATOR: setting(webAddress.optional(), 'The facilitator, which verifies and settles payments.'),
  BARLINE_X402_FACILITATOR_KEY: secret(key, 'Key of the facilitator.'),
  BARLINE_X402_TIMEOUT_MS: setting(
    integer(100, 20_000).default(10_000),
    'Longest time of a request to the facilitator.',
  ),
  ...languageModel.settings,
  BARLINE_LLM_ANSWER_MS: setting(
    integer(100, 120_000).default(90_000),
    'Longest time of the model for an answer, both replies together; then the documented form is read.',
  ),
  BARLINE_LLM_REPLY_TOKENS: setting(integer(64, 65_536).default(2_048), 'Most tokens of one reply of the model.'),
  BARLINE_LLM_CONVERSATION_TOKENS: setting(
    integer(1_000).default(400_000),
    'Most tokens that a conversation may use, prompts included.',
  ),
  BARLINE_LLM_MONTH_TOKENS: setting(
    integer(1_000).default(5_000_000),
    'Most tokens that an organization may use in a month, prompts included; a tier may allow fewer.',
  ),
  BARLINE_PUBLIC_URL: setting(
    webAddress.optional(),
    'Address of this service as its callers know it. Default: where it serves REST.',
  ),
};

const variables = z.object(
  Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema])) as SchemasOf<
    typeof settings
  >,
);

/** Settings of the service, read once and frozen. */
export type ServiceConfig = Readonly<z.infer<typeof variables>>;

/**
 * @throws EngineError INVALID_FIELD that names every variable out of bounds
 */
export function readServiceConfig(environment: Readonly<Record<string, string | undefined>>): ServiceConfig {
  const given = Object.entries(environment).filter(([name, value]) => name in variables.shape && value !== '');
  const result = variables.safeParse(Object.fromEntries(given));
  const problems = result.success
    ? missingIn(result.data)
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (result.success && problems.length === 0) return Object.freeze(result.data);
  throw new EngineError('INVALID_FIELD', problems.join('; '), { fields: problems });
}

/** Variables that the command line, its clients and the tests read. */
const otherVariables = ['BARLINE_API_KEY', 'BARLINE_DEBUG', 'BARLINE_SOAK'];

/**
 * One clause for each variable that is named like a setting and is none, such as a misspelled one.
 * None is refused: orchestrators set variables of their own for a service called Barline.
 */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.keys(variables.shape);
  return Object.keys(environment)
    .filter((name) => name.startsWith('BARLINE_') && !known.includes(name) && !otherVariables.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known);
      return `${clip(name, 100)} is not a setting${nearest === null ? '' : `, did you mean ${nearest}?`}`;
    });
}

/** Settings that need others. */
function missingIn(config: ServiceConfig): string[] {
  const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
  const lacking = config.BARLINE_OBJECTS === undefined ? [] : keys.filter((name) => config[name] === undefined);
  return [...lacking.map((name) => `${name}: must be set where BARLINE_OBJECTS is`), ...missingOfModel(config)];
}

/** A language model needs its name and its server, and so does a model for vectors. */
function missingOfModel(config: ServiceConfig): string[] {
  const needed = ['BARLINE_LLM_BASE_URL', 'BARLINE_LLM_MODEL'] as const;
  const given = [...needed, 'BARLINE_LLM_EMBEDDING_MODEL' as const].find((name) => config[name] !== undefined);
  if (given === undefined) return [];
  return needed.filter((name) => config[name] === undefined).map((name) => `${name}: must be set where ${given} is`);
}

const isSecret = (name: keyof ServiceConfig): boolean => settings[name].isSecret;

/** A variable of the service as it stands. */
export interface ListedSetting {
  readonly name: string;
  /** `(set)` for a secret; null without a value. */
  readonly value: unknown;
  readonly default: unknown;
  /** Bounds or choices, such as `0..65535`; null where the description has the form. */
  readonly form: string | null;
  readonly what: string;
  readonly isSecret: boolean;
  readonly source: 'environment' | 'default';
}

/** Every variable with value, default and source. @throws as `readServiceConfig` does */
export function listSettings(environment: Readonly<Record<string, string | undefined>>): ListedSetting[] {
  const values = redacted(readServiceConfig(environment)) as Readonly<Record<string, unknown>>;
  const defaults = readServiceConfig({});
  const names = Object.keys(variables.shape) as (keyof ServiceConfig)[];
  return names.map((name) => ({
    name,
    value: values[name] ?? null,
    default: defaults[name] ?? null,
    form: expectedForm(variables.shape[name]),
    what: settings[name].what,
    isSecret: isSecret(name),
    source: environment[name] === undefined || environment[name] === '' ? 'default' : 'environment',
  }));
}

function expectedForm(schema: z.ZodType): string | null {
  const {
    enum: choices,
    minimum,
    maximum = Number.MAX_SAFE_INTEGER,
  } = z.toJSONSchema(schema, { unrepresentable: 'any' }) as { enum?: string[]; minimum?: number; maximum?: number };
  if (choices !== undefined) return choices.join(', ');
  if (minimum === undefined) return null;
  return maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum}..${maximum}`;
}

/** The settings without secrets, for the log. */
export const redacted = (config: ServiceConfig): object =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      value !== undefined && isSecret(name as keyof ServiceConfig) ? '(set)' : withoutUser(value),
    ]),
  );

/** An address may hold a user and a password, such as a proxy's. */
const withoutUser = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(\w+:\/\/)[^/@]*@/, '$1(set)@') : value;
