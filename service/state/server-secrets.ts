import { randomBytes } from 'node:crypto';
import type { Database } from './tables.js';

const SECRET_BYTES = 48;

/**
 * A secret of the deployment by name, generated on first use. Processes that ask concurrently get
 * the same secret.
 * @returns base64url text of 384 random bits
 */
export async function serverSecret(db: Database, name: string): Promise<string> {
  const value = randomBytes(SECRET_BYTES).toString('base64url');
  await db
    .insertInto('server_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom('server_secrets').where('name', '=', name).select('value').executeTakeFirstOrThrow();
  return row.value;
}
