import assert from 'node:assert/strict';
import test from 'node:test';
import { createObserver } from '../../../server/observe.js';

const threads = { busy: 3, threads: 4, waiting: 7 };
const sources = {
  work: async () => ({
    backtests: { queued: 5, running: 2 },
    experiments: { running: 1, completed: 9 },
    sweepRuns: { open: 40, done: 60 },
    deliveries: 8,
    leases: { backtests: 2, sweeps: 1 },
  }),
  queues: async () => new Map([['backtests', { waiting: 6, delayed: 1, active: 2 }]]),
  connections: () => ({ open: 10, idle: 4, waiting: 3 }),
  threads: { backtests: () => threads },
  caches: { bars: () => ({ entries: 2, bytes: 4096, hits: 11, misses: 1 }) },
};

async function shown(changes: object = {}): Promise<string[]> {
  const observer = createObserver('silent', 'test');
  observer.watchWork({ ...sources, ...changes });
  const lines = (await observer.metrics()).split('\n');
  return lines.filter((line) => line.startsWith('barline_') && !/_seconds|_uncaught_/.test(line));
}

test('each figure is a gauge of its own', async () => {
  assert.deepEqual(await shown(), [
    'barline_source_up{source="state"} 1',
    'barline_source_up{source="queues"} 1',
    'barline_queue_jobs{queue="backtests",state="waiting"} 6',
    'barline_queue_jobs{queue="backtests",state="delayed"} 1',
    'barline_queue_jobs{queue="backtests",state="active"} 2',
    'barline_backtests{status="queued"} 5',
    'barline_backtests{status="running"} 2',
    'barline_experiments{status="running"} 1',
    'barline_experiments{status="completed"} 9',
    'barline_sweep_runs{state="open"} 40',
    'barline_sweep_runs{state="done"} 60',
    'barline_leases{kind="backtests"} 2',
    'barline_leases{kind="sweeps"} 1',
    'barline_webhook_deliveries_pending 8',
    'barline_threads{pool="backtests",state="busy"} 3',
    'barline_threads{pool="backtests",state="idle"} 1',
    'barline_threads{pool="backtests",state="waiting"} 7',
    'barline_database_connections{state="busy"} 6',
    'barline_database_connections{state="idle"} 4',
    'barline_database_connections{state="waiting"} 3',
    'barline_cache_entries{cache="bars"} 2',
    'barline_cache_bytes{cache="bars"} 4096',
    'barline_cache_hits{cache="bars"} 11',
    'barline_cache_misses{cache="bars"} 1',
  ]);
});

test('the state is asked once for all gauges, and a state that fails leaves the others', async () => {
  let asked = 0;
  const work = async () => {
    asked++;
    throw new Error('the database is away');
  };
  const lines = await shown({ work });
  assert.equal(asked, 1);
  assert.ok(lines.includes('barline_source_up{source="state"} 0'));
  assert.ok(lines.includes('barline_database_connections{state="idle"} 4'));
  assert.deepEqual(
    lines.filter((line) => /barline_(backtests|leases|experiments)/.test(line)),
    [],
  );
});
