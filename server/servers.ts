import { EngineError } from '../engine/errors.js';
import type { ServiceConfig } from '../service/settings/index.js';

/** How long a server may take to answer. */
const ANSWER_MS = 5_000;

type Named = { readonly [Name in 'DATABASE_URL' | 'REDIS_URL']?: ServiceConfig[Name] | undefined };

/** A server that a setting names, and what it answers. */
type Asked = readonly [setting: string, ask: () => Promise<string>];

/**
 * The servers of the settings. What they throw names setting and address, and never a password.
 */
export function listServers({ DATABASE_URL, REDIS_URL }: Named): readonly Asked[] {
  return [
    ...(DATABASE_URL === undefined ? [] : [asked('DATABASE_URL', DATABASE_URL, askPostgres)]),
    ...(REDIS_URL === undefined ? [] : [asked('REDIS_URL', REDIS_URL, askRedis)]),
  ];
}

/**
 * Asks the servers once, before anything waits for them: a wrong address ends the start at once.
 * @throws EngineError INVALID_FIELD that names setting and address of one that does not answer
 */
export async function requireServers(config: Named): Promise<void> {
  const ask = async ([setting, answer]: Asked): Promise<void> => {
    await answer().catch((error: Error) => {
      throw new EngineError('INVALID_FIELD', `${setting}: ${error.message}`, { field: setting });
    });
  };
  await Promise.all(listServers(config).map(ask));
}

/** The same of the database alone, for commands that work on the state. */
export const requireDatabase = ({ DATABASE_URL }: Named): Promise<void> => requireServers({ DATABASE_URL });

function asked(setting: string, url: string, ask: (url: string) => Promise<string>): Asked {
  const { host, pathname } = new URL(url);
  const address = `${host}${pathname}`;
  const answer = async (): Promise<string> => {
    try {
      return `${address}: ${await ask(url)}`;
    } catch (error) {
      throw new Error(`${address} does not answer: ${reason(error)}`);
    }
  };
  return [setting, answer];
}

/** A connection that was tried at several addresses fails with an error without a message. */
function reason(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: readonly Error[] };
  return message || errors?.[0]?.message || code || String(error);
}

async function askPostgres(connectionString: string): Promise<string> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
  client.on('error', () => {}); // the query that it ends says so too
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    return `PostgreSQL ${rows[0]?.version}`;
  } finally {
    await client.end().catch(() => {});
  }
}

async function askRedis(url: string): Promise<string> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let fault: Error | null = null;
  redis.on('error', (error: Error) => {
    fault ??= error;
  });
  try {
    await redis.connect();
    return `Redis ${/^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? 'answers'}`;
  } catch (error) {
    throw fault ?? error;
  } finally {
    redis.disconnect();
  }
}
