import { isIP } from 'node:net';
import { z } from 'zod';
import { clip } from '../../engine/text.js';
import { DEFI_PRO_CALLS } from '../identity/metered-resources.js';

/** An environment variable of the service. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** Its bounds and default. */
  readonly schema: Schema;
  /** What it is for; `docs/operating.md` lists the same. */
  readonly what: string;
  /** Never printed, logged or listed. */
  readonly isSecret: boolean;
}

type Settings = Readonly<Record<string, Setting>>;

export type SchemasOf<S extends Settings> = { readonly [Name in keyof S]: S[Name]['schema'] };

/** The values of settings, by name. */
export type ValuesOf<S extends Settings> = Readonly<z.infer<z.ZodObject<SchemasOf<S>>>>;

export const setting = <Schema extends z.ZodType>(schema: Schema, what: string): Setting<Schema> => ({
  schema,
  what,
  isSecret: false,
});

export const secret = <Schema extends z.ZodType>(schema: Schema, what: string): Setting<Schema> => ({
  schema,
  what,
  isSecret: true,
});

export const webAddress = z.url({ protocol: /^https?$/ });

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(min).max(max);

/** A key of another service. */
export const key = z.string().min(1).optional();

/** JSON in a variable, validated against a schema. */
export const jsonSchema = <T extends z.ZodType>(schema: T) =>
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

const bucketForm = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})((?:\/[\w.-]+)*)\/?$/;

/** `s3://bucket/prefix`: a bucket, and what all keys in it begin with. */
export const bucketAddress = z
  .string()
  .regex(bucketForm, 'must be s3://bucket or s3://bucket/prefix')
  .transform((text) => {
    const [, bucket = '', path = ''] = bucketForm.exec(text) ?? [];
    return { bucket, prefix: path === '' ? '' : `${path.slice(1)}/` };
  });

const columnForm = /^([A-Za-z0-9_-]+)\.([A-Za-z]\w{0,63})(?:@([a-z-]+))?$/;

/** `BTC.PerpFundingRate, ETH.ChainTvl@defillama`: columns of assets, with or without a source. */
export const columnList = z
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
export const trustedProxies = z.string().transform((text, context): number | string[] => {
  const hops = /^\d+$/.test(text) ? Number(text) : null;
  const proxies = text.split(',').map((name) => name.trim());
  if (hops === null ? proxies.every(isProxy) : hops <= PROXY_HOPS_MAX) return hops ?? proxies;
  const form = `a number of hops 0..${PROXY_HOPS_MAX}, or addresses and networks (10.0.0.0/8) or ${proxyNames.join(', ')}`;
  context.addIssue({ code: 'custom', message: `must be ${form}, separated by commas; was ${clip(text, 200)}` });
  return z.NEVER;
});

export const issuer = z.strictObject({
  issuer: z.url(),
  audiences: z.array(z.string().min(1)).min(1),
  jwksUri: z.url().exactOptional(),
});

export const workload = z.strictObject({
  issuer: z.url(),
  subject: z.string().min(1),
  audience: z.string().min(1),
  userId: z.uuid(),
  orgId: z.uuid(),
  scopes: z.array(z.string()).default([]),
});

const limit = z.int().min(0).nullable();

export const tier = z.strictObject({
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

export const redirect = z.strictObject({
  issuer: z.url(),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).exactOptional(),
  redirectUri: z.url(),
});

export const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits');

export const asset = z.strictObject({
  address: evmAddress,
  name: z.string().min(1),
  version: z.string().min(1),
  decimals: z.int().min(6).max(18),
});
