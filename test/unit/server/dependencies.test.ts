import assert from 'node:assert/strict';
import test from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { DependencyFault } from '../../../data/outage.js';
import { Dependencies } from '../../../server/dependencies.js';
import { readServiceConfig } from '../../../service/settings/config.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function watched(nowMs: () => number) {
  const lines: Record<string, unknown>[] = [];
  const registry = new Registry();
  const log = pino({ level: 'info', base: {} }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const dependencies = new Dependencies(log, registry, nowMs);
  const settings = { BARLINE_HOME: temporaryFolder('home'), DATABASE_URL: 'postgres://me:hush@db/x' };
  dependencies.watch(readServiceConfig(settings));
  const metrics = async () => (await registry.metrics()).split('\n').filter((line) => /^barline_/.test(line));
  return { lines, dependencies, metrics };
}

const fault = new DependencyFault('database', 'away', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });

test('a lost dependency is logged once a minute, with its setting and since when, and its return once', () => {
  let now = Date.UTC(2025, 0, 1);
  const { lines, dependencies } = watched(() => now);
  dependencies.answered('database');
  for (let i = 0; i < 150; i++, now += 1_000) assert.ok(dependencies.failed(fault));
  dependencies.answered('database');
  dependencies.answered('database');
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['dependency lost', 'dependency lost', 'dependency lost', 'dependency is back'],
  );
  for (const line of lines) {
    assert.equal(line.setting, 'DATABASE_URL');
    assert.equal(line.since, '2025-01-01T00:00:00.000Z');
    assert.doesNotMatch(JSON.stringify(line), /hush/);
  }
  assert.equal(lines.at(-1)?.failures, 150);
  assert.equal(lines.at(-1)?.lost_ms, 150_000);
});

test('failures, failed writes, what is up and the room on the disk are metrics', async () => {
  const { dependencies, metrics } = watched(Date.now);
  dependencies.failed(fault);
  dependencies.failed(fault, true);
  dependencies.failed(Object.assign(new Error('no room'), { code: 'ENOSPC' }));
  assert.equal(dependencies.failed(new Error('a bug')), false);
  const lines = await metrics();
  for (const line of [
    'barline_dependency_failures_total{dependency="database",reason="away"} 2',
    'barline_dependency_failures_total{dependency="disk",reason="full"} 1',
    'barline_failed_writes_total{dependency="database"} 1',
    'barline_failed_writes_total{dependency="disk"} 1',
    'barline_dependency_up{dependency="database"} 0',
    'barline_dependency_up{dependency="queues"} 1',
  ]) {
    assert.ok(lines.includes(line), `${line} in\n${lines.join('\n')}`);
  }
  const free = Number(lines.find((line) => line.startsWith('barline_disk_free_bytes'))?.split(' ')[1]);
  assert.ok(free > 0);
});
