import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Honesty } from '../../../../engine/sweep/index.js';
import { jsonOf, runCliBatch } from '../../../support/cli.js';
import { fileOf } from '../../../support/data-fixtures.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';

const home = mkdtempSync(join(tmpdir(), 'barline-cli-tries-'));
after(() => rmSync(home, { recursive: true, force: true }));

const planOf = (name: string, slow: readonly number[], asset = 'BTC') =>
  fileOf(
    home,
    `${name}.json`,
    JSON.stringify(
      crossSweep({
        datasets: [{ asset, timeframe: '1d' }],
        entry_signals: {
          triggers: [trigger('sma_cross_up', { window_fast: { values: [2, 3] }, window_slow: { values: slow } })],
          filters: [filter('is_above_sma', { window: { values: [4] } })],
        },
      }),
    ),
  );

test('earlier sweeps on an asset count in the judgement of the next, and a repeated try counts once', async () => {
  const [few, more] = [await planOf('few', [5, 8]), await planOf('more', [8, 13])];
  const json = ['--workers', '1', '--json'];
  const [none, first, again, second, listed, said] = await runCliBatch(
    [
      ['tries'],
      ['sweep', few, ...json],
      ['sweep', few, ...json],
      ['sweep', more, ...json],
      ['tries', '--json'],
      ['sweep', more, '--workers', '1'],
    ],
    { home },
  );
  assert.match(none!.stdout, /no sweep has tried anything/);
  const [one, same, two] = [first, again, second].map((run) => (jsonOf(run!) as { honesty: Honesty[] }).honesty[0]!);
  assert.equal(one!.everTried!.trialCount, one!.trialCount);
  assert.deepEqual(same, one, 'the same sweep again tries nothing new');
  const all = two!.everTried!;
  assert.ok(all.trialCount > two!.trialCount && all.trialCount < one!.trialCount + two!.trialCount);
  assert.ok(all.luckySharpe > two!.luckySharpe! - 1e-6 && all.deflatedSharpe! <= two!.deflatedSharpe! + 1e-6);
  const [btc] = jsonOf(listed!) as { asset: string; tries: number }[];
  assert.deepEqual([btc!.asset, btc!.tries], ['BTC', all.trialCount]);
  assert.match(said!.stdout.replaceAll('\n', ' '), new RegExp(`With all ${all.trialCount} tries ever made on BTC`));
});

test('a refined winner and a plan that was moved to another asset are judged by all that was tried', async () => {
  const apart = mkdtempSync(join(tmpdir(), 'barline-cli-tries-'));
  after(() => rmSync(apart, { recursive: true, force: true }));
  const slow = Array.from({ length: 30 }, (_, k) => 5 + k);
  const [wide, narrow, eth] = [
    await planOf('wide', slow),
    await planOf('narrow', [40, 41]),
    await planOf('moved', [40, 41], 'ETH'),
  ];
  const json = ['--workers', '1', '--json'];
  const [alone] = await runCliBatch([['sweep', narrow, ...json]], { home: apart });
  const [first, refined, moved] = await runCliBatch(
    [
      ['sweep', wide, ...json],
      ['sweep', narrow, ...json],
      ['sweep', eth, ...json],
    ],
    { home: mkdtempSync(join(apart, 'second-')) },
  );
  const of = (run: typeof alone) => (jsonOf(run!) as { honesty: (Honesty & { verdict: string })[] }).honesty[0]!;
  const [before, wideOne, after2] = [of(alone), of(first), of(refined)];
  assert.equal(after2.luckP, before.luckP, 'the figures of the sweep alone stay');
  assert.ok(after2.everTried!.luckP > before.everTried!.luckP);
  const worth = Math.max(wideOne.effectiveTrialCount, wideOne.effectiveBeyondMarket);
  const expected = after2.effectiveTrialCount + worth;
  assert.ok(Math.abs(after2.everTried!.effectiveTrialCount / expected - 1) < 1e-9, 'the wide sweep tells its worth');
  assert.match(after2.verdict, /tries ever made on BTC/);
  assert.equal(of(moved).everTried!.otherAssets, 1);
  assert.equal(after2.everTried!.otherAssets, 0);
});
