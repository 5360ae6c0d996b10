import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SplitMix64 } from '../../engine/statistics/index.js';
import { chains, judgeChain } from '../calibration/chains.js';
import { type Judgement, judge, type Setting, searches, styles } from '../calibration/judge.js';
import { shortMarkets } from '../calibration/markets.js';
import { foundAt } from '../calibration/power.js';
import { driftTableOf, powerTableOf, styleTableOf, tablesOf } from '../calibration/table.js';
import { normal } from '../support/noise.js';
import { runs, soak } from '../support/scale.js';
import { nodeArgs } from '../support/tree.js';

/** The measurement behind the tables of docs/assessment.md, small. */

const folder = mkdtempSync(join(tmpdir(), 'barline-calibration-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a calibration that was cut off continues, and writes its tables', { skip: !soak && 'in a soak' }, () => {
  const [file, document] = [join(folder, 'found.jsonl'), join(folder, 'assessment.md')];
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
  assert.match(table, /drift, long/);
  assert.match(tablesOf([grid]), /\(1 sweeps\)/);
});

test('without skill each test passes in at most 5 % of sweeps', { skip: !soak && 'in a soak' }, () => {
  const found: (Judgement & Pick<Setting, 'search'>)[] = [];
  const quiet = shortMarkets.filter((market) => market !== 'planted edge');
  for (let seed = 0; seed < runs(5, 25); seed++) {
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

test('the edges that pass are those of the probit line, and stand beside what is said before a sweep', () => {
  const random = new SplitMix64(7);
  const sweeps = Array.from({ length: 4_000 }, (_, k) => {
    const strength = 1 + (k % 21) / 4;
    return { strength, passes: normal(random) < 1.5 * (strength - 3) };
  });
  const found = foundAt(sweeps);
  assert.ok(Math.abs(found!.half - 3) < 0.1 && Math.abs(found!.most - 3 - 1.2816 / 1.5) < 0.1, JSON.stringify(found));
  assert.equal(foundAt(sweeps.filter(({ passes }) => passes)), null);
  const table = powerTableOf(
    sweeps.map(({ strength, passes }, seed) => ({ tries: 64, years: 4, strength, seed, found: { passes } })),
  );
  assert.match(table, /\| 64 \| 4000 \| (2\.9|3\.0|3\.1) \/ (3\.8|3\.9) \| .* \| (1\.5) \/ (1\.9) \| /);
  assert.match(table, /\| 64, as said before \| {2}\| 3\.2 \/ 4\.4 \|/);
});

test('the table of strong drift has each test and the verdict', () => {
  const one = (luck: number, market: number) => ({ luck, market, timing: 0.5, fails: 'timing' });
  const setting = { driftOf: 'bitcoin drift', hasCosts: false, tries: 64 } as const;
  const table = driftTableOf([one(0.01, 0.9), one(0.3, 0.04)].map((found, seed) => ({ ...setting, seed, found })));
  assert.match(table, /\| 64 tries, without costs \| 2 \| 50\.0 % \| 50\.0 % \| 0\.0 % \| 0\.0 % \|/);
});

/** Refinements whose last sweep passes every test if nothing else counts. */
const REFINED = [
  { market: 'random walk', hasCosts: false, chain: 'refined once', tries: 64, seed: 0 },
  { market: 'drift', hasCosts: false, chain: 'refined twice', tries: 64, seed: 25 },
  { market: 'random walk', hasCosts: true, chain: 'refined twice', tries: 1_000, seed: 1_015 },
] as const;

test('a leader that passes after a refinement alone does not pass by everything that was tried', () => {
  for (const { seed, ...setting } of REFINED) {
    const { passes, passesAlone } = judgeChain(setting, seed);
    assert.deepEqual({ passes, passesAlone }, { passes: false, passesAlone: true }, `${setting.chain} ${seed}`);
  }
});

test('at most 5 % of chains of sweeps pass in the end', { skip: !soak && 'in a soak' }, () => {
  let [count, passed, alone] = [0, 0, 0];
  for (let seed = 0; seed < 12; seed++) {
    for (const market of ['random walk', 'drift'] as const) {
      for (const chain of chains) {
        const found = judgeChain({ market, hasCosts: seed % 3 === 0, chain, tries: 64 }, 900_000 + seed);
        count++;
        if (found.passes) passed++;
        if (found.passesAlone) alone++;
      }
    }
  }
  assert.ok(passed <= 0.05 * count + 3 * Math.sqrt(0.0475 * count), `${passed} of ${count}`);
  assert.ok(alone > passed, `${alone} would, if only the last sweep counted`);
});
