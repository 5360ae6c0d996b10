import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Judgement, judge, searches, styles } from '../calibration/judge.js';
import { type Market, markets } from '../calibration/markets.js';
import { type Entry, styleTableOf, tablesOf } from '../calibration/table.js';
import { soak } from '../support/scale.js';
import { nodeArgs } from '../support/tree.js';

/** The measurement behind the tables of docs/belief.md, small. */

const folder = mkdtempSync(join(tmpdir(), 'barline-calibration-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a calibration that was cut off continues, and writes its tables into the document', () => {
  const [file, document] = [join(folder, 'found.jsonl'), join(folder, 'belief.md')];
  const block = (text: string) =>
    `before\n<!-- calibration: written by npm run calibrate -->\n${text}<!-- end of calibration -->\nafter\n<!-- chains: written by npm run calibrate -->\n<!-- end of chains -->\n`;
  writeFileSync(document, block(''));
  const options = [
    '--only',
    'sweeps',
    '--rounds',
    '1',
    '--market',
    'drift',
    '--tries',
    '64',
    '--file',
    file,
    '--document',
    document,
  ];
  const calibrate = (): string => {
    execFileSync(process.execPath, nodeArgs('test/calibration/run', ...options), { stdio: 'pipe' });
    return readFileSync(file, 'utf8');
  };
  const lines = calibrate().split('\n').filter(Boolean);
  const written = readFileSync(document, 'utf8');
  assert.equal(lines.length, 2 * searches.length, 'with and without costs');
  writeFileSync(file, `${lines.slice(0, 6).join('\n')}\n${lines[6]!.slice(0, 20)}`);
  writeFileSync(document, block('old'));
  const again = calibrate()
    .split('\n')
    .filter((line) => line.endsWith('}}'));
  assert.deepEqual(new Set(again), new Set(lines));
  assert.equal(readFileSync(document, 'utf8'), written);
  assert.match(written, /^before\n/);
  assert.match(written, /\| drift, with costs \| 4 \|/);
  assert.doesNotMatch(written, /old/);
});

test('an edge of 0.1 deviations a bar passes every test', () => {
  for (const search of searches) {
    const found = judge({ market: 'planted edge', hasCosts: false, search, tries: 64 }, 1);
    assert.equal(found.fails, null, search);
    assert.ok(found.luck! <= 0.05 && found.market! <= 0.05 && found.timing! <= 0.05, search);
  }
});

test('an edge on the short side is more than luck and more than the market, as one on the long side is', () => {
  const edge = { market: 'planted edge', hasCosts: false, search: 'grid', tries: 64 } as const;
  const found = judge({ ...edge, style: 'short' }, 1);
  assert.ok(found.luck! <= 0.05 && found.market! <= 0.05, JSON.stringify(found));
});

test('grids of other sides, margin and stops have a table of their own', () => {
  const found = { luck: 0.5, market: 0.01, timing: 0.5, superior: 0.5, fails: 'luck' } as const;
  const grid = { market: 'drift', hasCosts: false, search: 'grid', tries: 64, seed: 1, found } as const;
  const entries = [...styles.map((style) => ({ ...grid, style })), grid];
  const table = styleTableOf(entries);
  for (const style of styles) assert.ok(table.includes(`| drift, ${style} | 1 | 0.0 % | 100.0 % | 0.0 % | 0.0 % |`));
  assert.doesNotMatch(table, /drift, long/);
  assert.match(tablesOf(entries), /\(1 sweeps\)/);
});

test('without skill each test passes in at most 5 % of sweeps', { skip: !soak && 'in a soak' }, () => {
  const found: (Judgement & Pick<Entry, 'search'>)[] = [];
  const quiet = (Object.keys(markets) as Market[]).filter((market) => market !== 'planted edge');
  for (let seed = 0; seed < 25; seed++) {
    for (const market of quiet) {
      for (const search of searches) {
        for (const tries of [64, 500]) {
          found.push({ ...judge({ market, hasCosts: false, search, tries }, 50_000 + seed), search });
        }
      }
    }
  }
  for (const search of searches) {
    for (const name of ['luck', 'market', 'timing'] as const) {
      const values = found.filter((one) => one.search === search).map((one) => one[name]);
      const passed = values.filter((p) => p !== null && p <= 0.05).length;
      const allowed = 0.05 * values.length + 3 * Math.sqrt(0.0475 * values.length);
      assert.ok(passed <= allowed, `${search}, ${name}: ${passed} of ${values.length}`);
    }
  }
});
