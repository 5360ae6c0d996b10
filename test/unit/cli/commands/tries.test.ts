import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Assessment } from '../../../../engine/sweep/index.js';
import { jsonOf, runCliBatch } from '../../../support/cli.js';
import { fileOf } from '../../../support/data-fixtures.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';

const home = mkdtempSync(join(tmpdir(), 'barline-cli-tries-'));
after(() => rmSync(home, { recursive: true, force: true }));

const planOf = (name: string, slow: readonly number[]) =>
  fileOf(
    home,
    `${name}.json`,
    JSON.stringify(
      crossSweep({
        datasets: [{ asset: 'BTC', timeframe: '1d' }],
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
  const [one, same, two] = [first, again, second].map((run) => (jsonOf(run!) as { honesty: Assessment[] }).honesty[0]!);
  assert.equal(one!.everTried!.trialCount, one!.trialCount);
  assert.deepEqual(same, one, 'the same sweep again tries nothing new');
  const all = two!.everTried!;
  assert.ok(all.trialCount > two!.trialCount && all.trialCount < one!.trialCount + two!.trialCount);
  assert.ok(all.luckySharpe > two!.luckySharpe! - 1e-6 && all.deflatedSharpe! <= two!.deflatedSharpe! + 1e-6);
  const [btc] = jsonOf(listed!) as { asset: string; tries: number }[];
  assert.deepEqual([btc!.asset, btc!.tries], ['BTC', all.trialCount]);
  assert.match(said!.stdout.replaceAll('\n', ' '), new RegExp(`With all ${all.trialCount} tries ever made on BTC`));
});
