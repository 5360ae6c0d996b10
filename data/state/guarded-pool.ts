import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { DependencyFault, errorCode, kindOfFileError, type OutageKind } from '../outage.js';

/** Classes and codes of SQLSTATE for a server that cannot do now what it could do later. */
const kinds: readonly (readonly [RegExp, OutageKind])[] = [
  [/^08/, 'away'], // connection exceptions
  [/^57P0[1-5]$/, 'away'], // shutdown, crash, start, a dropped database, an idle session ended
  [/^53100$/, 'full'], // disk full
  [/^53/, 'busy'], // too many connections, out of memory, other resources
  [/^25006$/, 'read_only'], // a standby, or a server set to read only
  [/^(40001|40P01|55P03|57014)$/, 'busy'], // serialization, deadlock, lock and statement timeouts
];

/** Codes of sockets and names on the way to the server. */
const networkCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['EHOSTDOWN', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT'], // ENOENT: the path of a socket
]);

/** What `pg` says of a lost connection or a full pool, without a code. */
const lostText =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout|the database does not answer|the thread of the embedded store has ended)/;

/**
 * Marks a failure of the store that is an outage; returns any other failure, such as a violated
 * constraint or a wrong statement, as it is.
 */
export function asStoreFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DependencyFault) return error;
  const kind = outageKind(error);
  return kind === null ? error : new DependencyFault('database', kind, { cause: error });
}

function outageKind(error: Error): OutageKind | null {
  const code = errorCode(error) ?? '';
  for (const [pattern, kind] of kinds) if (pattern.test(code)) return kind;
  // Node tries all addresses of a name, and then has one error for each.
  const tried = error instanceof AggregateError ? error.errors : [];
  if (networkCodes.has(code) || tried.some((each) => networkCodes.has(errorCode(each) ?? ''))) return 'away';
  return lostText.test(error.message) ? 'away' : kindOfFileError(error);
}

/** Awaits an answer of the store and marks an outage as such. */
async function fromStore<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw asStoreFailure(error);
  }
}

/** A pool whose failures are marked where they are outages. */
export const guardedPool = (pool: PostgresPool): PostgresPool => ({
  connect: async () => guardedClient(await fromStore(pool.connect())),
  end: () => pool.end(),
});

function guardedClient(client: PostgresPoolClient): PostgresPoolClient {
  function query<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(statement: string | PostgresCursor<R>, parameters: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') return client.query<R>(statement);
    return fromStore(client.query<R>(statement, parameters));
  }
  return { query, release: () => client.release() };
}
