import test from 'node:test';
import { openState, type State } from '../../data/state/index.js';
import { noPostgres, type PostgresServer, startPostgres } from './postgres.js';
import { openTestState } from './state.js';

/**
 * Declares tests once for each kind of state: the embedded store and, where PostgreSQL is
 * installed, a real server. `open` returns the state that the tests of one kind share.
 */
export function onEachBackend(declare: (name: string, open: () => Promise<State>) => void): void {
  declare('embedded', shared(openTestState));
  if (noPostgres !== false) {
    test('the same on a PostgreSQL server', { skip: noPostgres }, () => {});
    return;
  }
  const open = async (): Promise<State> => {
    server ??= startPostgres();
    return openState({ home: '/nonexistent', databaseUrl: await (await server).newDatabase() });
  };
  users++;
  declare(
    'server',
    shared(open, async () => {
      if (--users === 0) await (await server)?.stop();
    }),
  );
}

/** The server of this process, with a database for each declaration. The last one stops it. */
let server: Promise<PostgresServer> | null = null;
let users = 0;

/** Opens the state at the first call, and closes it after the last test of the file. */
function shared(open: () => Promise<State>, after: () => Promise<void> = async () => {}): () => Promise<State> {
  let state: Promise<State> | null = null;
  test.after(async () => {
    await (await state)?.close();
    await after();
  });
  return () => {
    state ??= open();
    return state;
  };
}
