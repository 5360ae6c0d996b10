import assert from 'node:assert/strict';
import { SqlExperimentParts } from '../../service/experiments/keep-parts.js';
import { SqlExperimentStore } from '../../service/experiments/store.js';
import { SqlTries } from '../../service/experiments/tries.js';
import { type ClaimedBlock, SqlExperimentWork } from '../../service/experiments/work.js';
import type { Database } from '../../service/state/index.js';
import { deleteRows } from './shared-state.js';

/** Organizations of the tests, by number. */
export const orgOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const userId = orgOf(999);
const ORGS = 5;

export interface ExperimentStores {
  readonly db: Database;
  readonly store: SqlExperimentStore;
  readonly work: SqlExperimentWork;
  readonly parts: SqlExperimentParts;
  readonly tries: SqlTries;
}

/** Tables of experiments without rows, and organizations to own some. */
export async function emptyExperiments(db: Database): Promise<ExperimentStores> {
  await deleteRows(db);
  const orgs = Array.from({ length: ORGS }, (_, n) => ({ id: orgOf(n), name: 'x', tier: 'x', created_at_ms: 0 }));
  await db.insertInto('organizations').values(orgs).execute();
  return {
    db,
    store: new SqlExperimentStore(db),
    work: new SqlExperimentWork(db),
    parts: new SqlExperimentParts(db),
    tries: new SqlTries(db),
  };
}

export interface NewExperiment {
  readonly org?: number;
  readonly runs?: number;
  /** Runs of each series; without it, one series of all runs. */
  readonly series?: readonly number[];
}

export const planHash = 'a hash';

export async function addDraft({ store }: ExperimentStores, id: string, { org = 0 }: NewExperiment = {}) {
  const config = { name: id, unknown: ['kept', null, 0.1] };
  const row = { id, org_id: orgOf(org), user_id: userId, name: id, search_mode: 'grid', config };
  assert.ok(await store.add({ ...row, created_at_ms: Number(id.replace(/\D/g, '')) }));
  return config;
}

export async function addValidated(stores: ExperimentStores, id: string, given: NewExperiment = {}): Promise<void> {
  const { runs = 10, org = 0 } = given;
  await addDraft(stores, id, given);
  let from = 0;
  const series = (given.series ?? [runs]).map((length, k) => {
    const one = { key: `series ${k}`, from, to: from + length };
    from = one.to;
    return one;
  });
  const plan = { engineVersion: '1', datasets: [], series };
  const experiment = (await stores.store.find(orgOf(org), id))!;
  await stores.store.setValidated(experiment, { totalRuns: from, planHash, plan }, 1);
}

export async function addLaunched(stores: ExperimentStores, id: string, given: NewExperiment = {}): Promise<void> {
  await addValidated(stores, id, given);
  assert.equal((await stores.store.launch(orgOf(given.org ?? 0), id, null, 2))?.isDone, true);
}

/** Counts of a part in which all runs succeeded. */
export const part = (from: number, to: number, more: object = {}) => ({
  from,
  to,
  bytes: 100,
  ok: to - from,
  no_trades: 0,
  skipped: 0,
  errors: 0,
  ...more,
});

/** Ranges of a block that have no row yet. */
export function missingOf({ from, to, committed }: ClaimedBlock): [from: number, to: number][] {
  const missing: [number, number][] = [];
  let next = from;
  for (const done of committed) {
    if (done.from > next) missing.push([next, done.from]);
    next = Math.max(next, done.to);
  }
  if (next < to) missing.push([next, to]);
  return missing;
}

/** The ranges of the rows of an experiment, ascending. */
export async function rangesOf({ db }: ExperimentStores, id: string): Promise<[from: number, to: number][]> {
  const rows = await db
    .selectFrom('experiment_parts')
    .where('experiment_id', '=', id)
    .select(['run_from', 'run_to'])
    .orderBy('run_from')
    .execute();
  return rows.map(({ run_from, run_to }) => [run_from, run_to]);
}

/** Asserts that every run of an experiment has exactly one row. */
export async function assertTiled(stores: ExperimentStores, id: string, total: number): Promise<void> {
  let next = 0;
  for (const [from, to] of await rangesOf(stores, id)) {
    assert.equal(from, next, `every run of ${id} has one row`);
    next = to;
  }
  assert.equal(next, total);
}
