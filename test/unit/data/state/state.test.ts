import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { type DumpHead, loadDump } from '../../../../data/state/dump.js';
import { dumpState } from '../../../../data/state/index.js';
import type { State } from '../../../../service/state/index.js';
import { openTestState } from '../../../support/state.js';

let state: State;
/** A sound dump of the store. */
let head: DumpHead;
let rows: string[];

before(async () => {
  state = await openTestState();
  const [first = '', ...rest] = await dumped();
  head = JSON.parse(first) as DumpHead;
  rows = rest;
});
after(() => state.close());

async function dumped(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of dumpState(state.db)) lines.push(line);
  return lines;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** What a hostile dump holds, and what the refusal says. */
const dumps: Readonly<
  Record<string, readonly [changes: () => { head?: Partial<DumpHead>; row?: string }, message: RegExp]>
> = {
  'a table that does not exist, which is SQL': [
    () => ({ head: { tables: [...head.tables, 'users"; drop table users; --'] } }),
    /the unknown table "users\\"; drop table users; --"/,
  ],
  'a sequence that does not exist': [
    () => ({ head: { sequences: { pg_class: '1' } } }),
    /the unknown sequence "pg_class"/,
  ],
  'a row with an unknown column': [
    () => ({ row: 'users\t{"rolsuper":true}' }),
    /line \d+ .* unknown column "rolsuper" of users/,
  ],
};

for (const [what, [changes, message]] of Object.entries(dumps)) {
  test(`a state with ${what} is refused, and the store keeps what it has`, async () => {
    const { head: changed, row } = changes();
    const lines = row === undefined ? rows : [...rows, row];
    await assert.rejects(loadDump(state.db, { ...head, ...changed }, each(lines)), { code: 'INVALID_DATA', message });
    assert.deepEqual(await dumped(), [JSON.stringify(head), ...rows]);
  });
}

test('a sound state is loaded as it was', async () => {
  await loadDump(state.db, head, each(rows));
  assert.deepEqual(await dumped(), [JSON.stringify(head), ...rows]);
});
