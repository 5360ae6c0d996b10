import test, { type TestContext } from 'node:test';
import { openState, type State } from '../../service/state/index.js';
import { noPostgres, type PostgresServer, startPostgres } from './postgres.js';
import { soak } from './scale.js';
import { sharedState } from './shared-state.js';

/** Declares a test, as `test` of Node.js does. */
export type Declare = (title: string, run: (t: TestContext) => Promise<void>) => void;

/**
 * Declares tests once for each kind of state: the embedded store and, where PostgreSQL is
 * installed, a real server. `open` returns the state that the tests of one kind share.
 *
 * `alike` declares a test of what both answer alike, because the statements are the same: on the
 * server, in a soak alone. Where calls meet, locks are waited for, notices are sent or values are
 * written in another form than they have in SQL, `test` declares it on both.
 */
export function onEachBackend(declare: (name: string, open: () => Promise<State>, alike: Declare) => void): void {
  declare('embedded', sharedState, test);
  if (noPostgres !== false) {
    test('the same on a PostgreSQL server', { skip: noPostgres }, () => {});
    return;
  }
  let state: Promise<State> | null = null;
  const open = async (): Promise<State> => {
    server ??= startPostgres();
    return openState({ home: '/nonexistent', databaseUrl: await (await server).newDatabase() });
  };
  users++;
  test.after(async () => {
    await (await state)?.close();
    if (--users === 0) await (await server)?.stop();
  });
  declare(
    'server',
    () => {
      state ??= open();
      return state;
    },
    soak ? test : () => {},
  );
}

type Check<Set> = (title: string, run: (set: Set) => Promise<void>) => void;

/**
 * The tests of a store, on each backend. `setUp` makes what each test begins with; `check` declares
 * what both backends answer alike, `checkBoth` the rest.
 */
export function onEachStore<Set>(
  name: string,
  setUp: (state: State) => Set | Promise<Set>,
  declare: (check: Check<Set>, checkBoth: Check<Set>) => void,
): void {
  onEachBackend((backend, open, alike) => {
    const by =
      (how: Declare): Check<Set> =>
      (title, run) =>
        how(`${name}, ${backend}: ${title}`, async () => run(await setUp(await open())));
    declare(by(alike), by(test));
  });
}

/** The server of this process, with a database for each declaration. The last one stops it. */
let server: Promise<PostgresServer> | null = null;
let users = 0;
