import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { createObserver } from '../../../server/observe.js';
import { settingsTable } from '../../../service/settings/table.js';
import { root } from '../../support/tree.js';

const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');

test('the page lists every environment variable as the service reads it', () => {
  assert.ok(page.includes(`\n${settingsTable()}\n`), 'run node scripts/write-settings.mjs');
});

test('the page names every metric of ours', async () => {
  const observer = createObserver('silent', 'test');
  observer.watch([]);
  observer.watchWork({
    work: async () => Promise.reject(new Error('not asked for here')),
    queues: async () => new Map(),
    connections: () => ({ open: 0, idle: 0, waiting: 0 }),
    threads: {},
    caches: {},
  });
  const names = [...(await observer.metrics()).matchAll(/^# TYPE (barline_\w+)/gm)].map(([, name]) => name ?? '');
  const isNamed = (name: string) =>
    page.includes(`\`${name}\``) || page.includes(`\`${name.replace(/^barline_[a-z]+/, '')}\``);
  assert.ok(names.length > 12);
  assert.deepEqual(
    names.filter((name) => !isNamed(name)),
    [],
  );
});
