import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '../../../engine/series/index.js';
import { SplitMix64 } from '../../../engine/statistics/index.js';
import { auditMaskRequests } from '../../../research/index.js';
import { refMaskTimings } from '../../reference/statistics.js';
import { fileOf } from '../../support/data-fixtures.js';
import { normal } from '../../support/noise.js';
import { runs } from '../../support/scale.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('masks');
const BARS = 600;

/** `[epoch seconds, open, high, low, close, volume]` of a market without trend. */
function noise(seed: number): number[][] {
  const random = new SplitMix64(seed);
  let price = 100;
  return Array.from({ length: BARS }, (_, bar) => {
    const open = price;
    price *= Math.exp(0.01 * normal(random));
    return [bar * 3_600, open, 1.002 * Math.max(open, price), 0.998 * Math.min(open, price), price, 10];
  });
}

const bars = noise(5);
const closes = bars.map((row) => row[4]!);
const numbers = (is: (bar: number) => boolean): number[] => [...closes.keys()].filter(is);

/** Buys a fall of 1 %, sells a rise of 1 %: it reads the bar and the one before. */
const fair = {
  entry: numbers((bar) => bar > 0 && closes[bar]! < 0.99 * closes[bar - 1]!),
  exit: numbers((bar) => bar > 0 && closes[bar]! > 1.01 * closes[bar - 1]!),
};
/** Knows whether the next bar rises. */
const leaky = {
  entry: numbers((bar) => closes[bar + 1]! > 1.002 * closes[bar]!),
  exit: numbers((bar) => closes[bar + 1]! < 0.998 * closes[bar]!),
};
const open = { stop_loss_calculation: 'fixed', fixed_stop_pct: 0.5, reward_factor: 50, cooldown_config: {} };
const requestOf = (masks: object, id: string) => ({ id, interval: '1h', first: 20, bars, masks, config: open });
const alone = { command: null, cutCount: 4, seed: 1 };

/** A command in JavaScript: an expression of entry and exit over `closes` and `bar`. */
async function commandOf(
  name: string,
  entry: string,
  exit: string,
  entryKey = 'entry',
  exitKey = 'exit',
): Promise<string> {
  const script = `
    let text = '';
    for await (const part of process.stdin) text += part;
    const closes = JSON.parse(text).bars.map((row) => row[4]);
    const average = closes.reduce((sum, close) => sum + close, 0) / closes.length;
    const where = (is) => [...closes.keys()].filter(is);
    console.log(JSON.stringify({ ${entryKey}: where((bar) => ${entry}), ${exitKey}: where((bar) => ${exit}) }));`;
  return `"${process.execPath}" "${await fileOf(folder, `${name}.mjs`, script)}"`;
}
const fairEntry = 'bar > 0 && closes[bar] < 0.99 * closes[bar - 1]';
const fairExit = 'bar > 0 && closes[bar] > 1.01 * closes[bar - 1]';

test('masks that know the next bar are caught without the rule that made them, fair ones pass', async () => {
  const requests = [requestOf(leaky, 'leaky'), requestOf(fair, 'fair')];
  const [caught, clean] = await auditMaskRequests(requests, alone);
  assert.deepEqual([caught!.id, caught!.is_clean, caught!.bars, caught!.cuts], ['leaky', false, BARS - 20, 0]);
  assert.deepEqual(
    caught!.findings.map(({ kind, mask }) => [kind, mask]),
    [
      ['foresight', 'entry'],
      ['foresight', 'exit'],
    ],
  );
  const first = leaky.entry.find((bar) => bar >= 20)!;
  assert.equal(caught!.findings[0]!.bar, first);
  assert.equal(caught!.findings[0]!.time, isoTime(first * 3_600_000));
  assert.ok(caught!.lag.profit > caught!.lag.laggedProfit + 25, JSON.stringify(caught!.lag));
  assert.deepEqual([clean!.is_clean, clean!.findings], [true, []]);
  assert.ok(clean!.lag.trades > 5 && clean!.lag.laggedTrades > 5, JSON.stringify(clean!.lag));
});

test('the timings of masks are those of a reference written apart', async () => {
  for (let seed = 1; seed <= runs(20, 500); seed++) {
    const random = new SplitMix64(seed);
    const rows = noise(seed + 1_000);
    const density = [0.01, 0.1, 0.7][random.below(3)]!;
    const draw = () => [...rows.keys()].filter(() => random.uniform() < density);
    const masks = { entry: draw(), exit: draw() };
    const [report] = await auditMaskRequests([{ ...requestOf(masks, 'any'), bars: rows }], alone);
    const moves = rows.slice(20).map(([, open, , , close]) => Math.log(close! / open!));
    const expected = refMaskTimings(moves, { entry: masks.entry, exit: masks.exit }, 20);
    assert.equal(report!.timings.length, expected.length);
    for (const [i, timing] of report!.timings.entries()) {
      for (const [key, value] of Object.entries(expected[i]!)) {
        const actual = (timing as unknown as Record<string, unknown>)[key];
        if (typeof value === 'string') assert.equal(actual, value);
        else assert.ok(Math.abs(Number(actual) - value) < 1e-9, `seed ${seed} ${timing.mask} ${timing.of} ${key}`);
      }
    }
  }
});

test('a command that reads the future is caught at a cut, a fair one makes the same masks', async () => {
  const command = await commandOf('fair', fairEntry, fairExit);
  const [clean] = await auditMaskRequests([requestOf(fair, 'fair')], { ...alone, command });
  assert.deepEqual([clean!.is_clean, clean!.cuts, clean!.findings], [true, 4, []]);

  // An average over all bars, later ones too: the next bar alone does not show it.
  const whole = closes.reduce((sum, close) => sum + close, 0) / closes.length;
  const hidden = { entry: numbers((bar) => closes[bar]! < whole), exit: fair.exit };
  const leaking = await commandOf('hidden', 'closes[bar] < average', fairExit);
  const [unseen] = await auditMaskRequests([requestOf(hidden, 'hidden')], alone);
  assert.deepEqual(unseen!.findings, []);
  const [caught] = await auditMaskRequests([requestOf(hidden, 'hidden')], { ...alone, command: leaking });
  assert.deepEqual(
    caught!.findings.map(({ kind, mask }) => [kind, mask]),
    [['look-ahead', 'entry']],
  );
  const { bar, cut } = caught!.findings[0]!;
  const before = closes.slice(0, cut);
  const known = before.reduce((sum, close) => sum + close, 0) / cut;
  assert.equal(
    bar,
    before.findIndex((close) => close < whole !== close < known),
  );
});
