import { isIP } from 'node:net';
import { z } from 'zod';
import { folderOf } from '../../data/folder-of.js';
import { EngineError } from '../../engine/errors.js';
import { nearestName } from '../../engine/nearest.js';
import { clip } from '../../engine/text.js';
import { DEFI_PRO_CALLS } from '../identity/metered-resources.js';
import { aboutSettings } from './about.js';

const port = z.coerce.number().int().min(0).max(65_535);
const key = z.string().min(1).optional();
const address = (own: string) => z.url({ protocol: /^https?$/ }).default(own);
const milliseconds = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** JSON in a variable, validated against a schema. */
const jsonOf = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);

const columnForm = /^([A-Za-z0-9_-]+)\.([A-Za-z]\w{0,63})(?:@([a-z-]+))?$/;

/** `BTC.PerpFundingRate, ETH.ChainTvl@defillama`: columns of assets, with or without a source. */
const columnList = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.string().regex(columnForm, 'must be ASSET.COLUMN or ASSET.COLUMN@SOURCE, separated by commas')))
  .transform((names) => names.map((name) => columnForm.exec(name)?.slice(1) as [string, string, string?]))
  .transform((parts) => parts.map(([asset, column, source]) => ({ asset, column, source })));

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];
const PROXY_HOPS_MAX = 32;

function isProxy(text: string): boolean {
  if (proxyNames.includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6];
  return (
    more.length === 0 &&
    bitsMax >= 0 &&
    (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= bitsMax))
  );
}

/**
 * Express's `trust proxy`: hops, or addresses, networks and names. `true` would believe any client
 * about its own address.
 */
const trustedProxies = z.string().transform((text, context): number | string[] => {
  const hops = /^\d+$/.test(text) ? Number(text) : null;
  const proxies = text.split(',').map((name) => name.trim());
  if (hops === null ? proxies.every(isProxy) : hops <= PROXY_HOPS_MAX) return hops ?? proxies;
  const form = `a number of hops 0..${PROXY_HOPS_MAX}, or addresses and networks (10.0.0.0/8) or ${proxyNames.join(', ')}`;
  context.addIssue({ code: 'custom', message: `must be ${form}, separated by commas; was ${clip(text, 200)}` });
  return z.NEVER;
});

const issuer = z.strictObject({
  issuer: z.url(),
  audiences: z.array(z.string().min(1)).min(1),
  jwksUri: z.url().exactOptional(),
});

const workload = z.strictObject({
  issuer: z.url(),
  subject: z.string().min(1),
  audience: z.string().min(1),
  userId: z.uuid(),
  orgId: z.uuid(),
  scopes: z.array(z.string()).default([]),
});

const limit = z.int().min(0).nullable();

const tier = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  entitlements: z.array(z.string()).default([]),
  strategiesMax: limit,
  priceMonthly: z.number().min(0).nullable().default(null),
  monthlyMax: z.strictObject({
    backtests: limit,
    api_calls: limit,
    oracle_data_queries: limit.default(null),
    tokens: limit.default(null),
    defi_pro_calls: limit.default(DEFI_PRO_CALLS),
  }),
  backtestsPerSweepMax: limit.default(100),
  concurrentSweepsMax: limit.default(1),
});

const redirect = z.strictObject({
  issuer: z.url(),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).exactOptional(),
  redirectUri: z.url(),
});

const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits');

const asset = z.strictObject({
  address: evmAddress,
  name: z.string().min(1),
  version: z.string().min(1),
  decimals: z.int().min(6).max(18),
});

/** Every variable of the service, with bounds and default; `aboutSettings` says what for. */
const variables = z.object({
  BARLINE_HOME: z.string().min(1).default('.barline').transform(folderOf),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  BARLINE_HTTP_HOST: z.string().min(1).default('127.0.0.1'),
  BARLINE_HTTP_PORT: port.default(5001),
  BARLINE_RPC_HOST: z.string().min(1).default('127.0.0.1'),
  BARLINE_RPC_PORT: port.default(50_051),
  BARLINE_METRICS_PORT: port.optional(),
  BARLINE_METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  BARLINE_DRAIN_MS: milliseconds(0, 60_000).default(0),
  BARLINE_CORS_ORIGIN: z.string().min(1).default('*'),
  BARLINE_TRUSTED_PROXIES: trustedProxies.optional(),
  BARLINE_MCP_SESSIONS: z.coerce.number().int().min(1).max(100_000).default(1_000),
  BARLINE_MCP_IDLE_MS: milliseconds(1_000, 86_400_000).default(1_800_000),
  BARLINE_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  BARLINE_LOG_FORMAT: z.enum(['auto', 'json', 'readable']).default('auto'),
  BARLINE_TRACES: z.enum(['off', 'otlp']).default('off'),
  BARLINE_RULE_COMPOSITION: z.enum(['strict', 'relaxed']).default('strict'),
  BARLINE_KEY_PREFIX: z
    .string()
    .regex(/^[a-z]{2,12}$/, 'must be 2..12 lower-case letters')
    .default('local'),
  BARLINE_SECRET: z.string().min(32).optional(),
  BARLINE_MANAGEMENT_KEY: z.string().min(16).optional(),
  BARLINE_OIDC_ISSUERS: jsonOf(z.array(issuer)).default([]),
  BARLINE_OIDC_REDIRECT: jsonOf(redirect).optional(),
  BARLINE_WORKLOADS: jsonOf(z.array(workload)).default([]),
  BARLINE_DEV_SECRET: z.string().min(16).optional(),
  BARLINE_TIERS: jsonOf(z.array(tier).min(1)).optional(),
  BARLINE_WEBHOOK_PRIVATE_HOSTS: z.enum(['refuse', 'allow']).default('refuse'),
  BARLINE_RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(60_000),
  BARLINE_BACKTEST_WAIT_MS: milliseconds(0, 9_999).default(5_000),
  BARLINE_QUEUED_PER_ORGANIZATION: z.coerce.number().int().min(1).default(1_000),
  BARLINE_QUEUED: z.coerce.number().int().min(1).default(10_000),
  BARLINE_THREADS: z.coerce.number().int().min(1).max(256).optional(),
  BARLINE_SWEEP_THREADS: z.coerce.number().int().min(1).max(256).optional(),
  BARLINE_DEPLOYED: z.string().min(1).transform(folderOf).optional(),
  BARLINE_REPLAY_MS: milliseconds(0, 3_600_000).default(10_000),
  BARLINE_REPLAY_DAYS: z.coerce.number().int().min(1).max(36_500).default(90),
  BARLINE_COLUMNS: columnList.default([]),
  BARLINE_QUERY_BYTES_MAX: z.coerce.number().int().min(10_485_760).default(1_073_741_824),
  BARLINE_QUERY_MEMORY_MB: z.coerce.number().int().min(64).max(1_048_576).default(1_024),
  BARLINE_QUERY_THREADS: z.coerce.number().int().min(1).max(256).default(2),
  BARLINE_QUERY_TIMEOUT_MS: milliseconds(1, 55_000).default(20_000),
  BARLINE_NANSEN_KEY: key,
  BARLINE_NANSEN_URL: address('https://api.nansen.ai'),
  BARLINE_WHALE_ALERT_KEY: key,
  BARLINE_WHALE_ALERT_URL: address('https://api.whale-alert.io'),
  BARLINE_LUNARCRUSH_KEY: key,
  BARLINE_LUNARCRUSH_URL: address('https://lunarcrush.com/api4'),
  BARLINE_COINGECKO_KEY: key,
  BARLINE_COINGECKO_URL: address('https://api.coingecko.com/api/v3'),
  BARLINE_COINAPI_KEY: key,
  BARLINE_COINAPI_URL: address('https://rest.coinapi.io'),
  BARLINE_DEFILLAMA: z.enum(['off', 'free']).default('off'),
  BARLINE_DEFILLAMA_KEY: key,
  BARLINE_DEFILLAMA_URL: address('https://api.llama.fi'),
  BARLINE_DEFILLAMA_STABLECOINS_URL: address('https://stablecoins.llama.fi'),
  BARLINE_DEFILLAMA_PRO_URL: address('https://pro-api.llama.fi'),
  BARLINE_TRADES_EXCHANGE: z.string().min(1).optional(),
  BARLINE_TRADES_URL: z.url({ protocol: /^https?$/ }).optional(),
  BARLINE_X402_PAY_TO: evmAddress.optional(),
  BARLINE_X402_NETWORK: z
    .string()
    .regex(/^eip155:[1-9]\d{0,15}$/, 'must be eip155: and a chain id')
    .optional(),
  BARLINE_X402_ASSET: jsonOf(asset).optional(),
  BARLINE_X402_FACILITATOR: z.url({ protocol: /^https?$/ }).optional(),
  BARLINE_X402_FACILITATOR_KEY: key,
  BARLINE_X402_TIMEOUT_MS: milliseconds(100, 20_000).default(10_000),
  BARLINE_LLM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  BARLINE_LLM_MODEL: z.string().min(1).optional(),
  BARLINE_LLM_KEY: key,
  BARLINE_LLM_EMBEDDING_MODEL: z.string().min(1).optional(),
  BARLINE_LLM_REQUEST_MS: milliseconds(100, 120_000).default(60_000),
  BARLINE_LLM_ANSWER_MS: milliseconds(100, 120_000).default(90_000),
  BARLINE_LLM_REPLY_TOKENS: z.coerce.number().int().min(64).max(65_536).default(2_048),
  BARLINE_LLM_CONVERSATION_TOKENS: z.coerce.number().int().min(1_000).default(400_000),
  BARLINE_LLM_MONTH_TOKENS: z.coerce.number().int().min(1_000).default(5_000_000),
  BARLINE_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
});

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

/** A language model needs its name and its server, and so does a model for vectors. */
function missingIn(config: ServiceConfig): string[] {
  const needed = ['BARLINE_LLM_BASE_URL', 'BARLINE_LLM_MODEL'] as const;
  const given = [...needed, 'BARLINE_LLM_EMBEDDING_MODEL' as const].find((name) => config[name] !== undefined);
  if (given === undefined) return [];
  return needed.filter((name) => config[name] === undefined).map((name) => `${name}: must be set where ${given} is`);
}

const about: Readonly<Record<keyof ServiceConfig, { readonly what: string; readonly isSecret?: true }>> = aboutSettings;

const isSecret = (name: keyof ServiceConfig): boolean => about[name].isSecret === true;

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
  const defaults = readServiceConfig({}) as Readonly<Record<string, unknown>>;
  const names = Object.keys(variables.shape) as (keyof ServiceConfig)[];
  return names.map((name) => ({
    name,
    value: values[name] ?? null,
    default: defaults[name] ?? null,
    form: formOf(variables.shape[name]),
    what: about[name].what,
    isSecret: isSecret(name),
    source: environment[name] === undefined || environment[name] === '' ? 'default' : 'environment',
  }));
}

function formOf(schema: z.ZodType): string | null {
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

/** An address may hold a user and a password, such as those of a proxy. */
const withoutUser = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(\w+:\/\/)[^/@]*@/, '$1(set)@') : value;
