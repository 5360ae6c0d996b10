import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../data/bars/index.js';
import { auditBacktest, replay, runBacktest } from '../../research/backtest/index.js';
import { runs } from '../support/scale.js';
import { root } from '../support/tree.js';

/**
 * Every strategy of the examples and a few more, over every bundled series: diagnosed, replayed,
 * audited.
 */

const services = {
  store: openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') }),
  engineVersion: '0.0.0-test',
};

const rule = (name: string, signal_type: string, params: object = {}, timeframe: string | null = null) => ({
  name,
  signal_type,
  timeframe,
  params,
});

/** Sweeps lie in a folder of their own, portfolios have no entry. */
const examples = readdirSync(join(root, 'examples'))
  .filter((file) => file.endsWith('.json'))
  .map((file): [string, object] => [file, JSON.parse(readFileSync(join(root, 'examples', file), 'utf8'))])
  .filter(([, content]) => 'entry' in content);

const strategies: Record<string, object> = {
  ...Object.fromEntries(examples),
  'channel breakout': {
    entry: [rule('dc_upper_breakout', 'TRIGGER', { window: 40 }), rule('adx_strong_trend', 'FILTER')],
    exit: [rule('dc_lower_breakout', 'TRIGGER', { window: 20 })],
  },
  'squeeze release': { entry: [rule('ttm_squeeze_fired_bullish', 'TRIGGER'), rule('obv_bullish', 'FILTER')] },
  'candles by day': {
    entry: [rule('bullish_engulfing_trigger', 'TRIGGER'), rule('is_above_sma', 'FILTER', { window: 50 }, '1d')],
  },
  'never fires': { entry: [rule('rsi_oversold', 'TRIGGER', { window: 100, threshold: 0 })] },
};

const series = (await services.store.list()).map(({ asset, interval }) => [asset, interval] as const);

/**
 * The examples name timeframes. On a coarser interval those rules are refused, which is a result as
 * well.
 */
for (const [name, strategy] of Object.entries(strategies)) {
  for (const [asset, interval] of series) {
    test(`${name} on ${asset} ${interval} is explained, repeated and audited`, async () => {
      const window = { start: interval === '5m' ? '2023-06-01' : '2022-01-01' };
      const request = { strategy, asset, interval, window, config: { fee_pct: 0.001, slippage_pct: 0.0005 } };
      const { result } = await runBacktest(request, services);
      const { bars, both_true, denied, filled, verdict } = result.diagnostics;
      const deniedCount = Object.values(denied).reduce((sum, n) => sum + n, 0);
      assert.equal(bars, result.data.tradable_bars);
      assert.ok(both_true - deniedCount - filled >= 0 && both_true - deniedCount - filled <= 1);
      assert.equal(verdict === null, filled > 0);

      const again = await replay(result.manifest, services);
      assert.deepEqual([again.isReproduced, again.changes], [true, []]);
      assert.equal(JSON.stringify(again.run.result), JSON.stringify(result));

      const audit = await auditBacktest(request, { cutCount: runs(2, 40), seed: 7 }, services);
      assert.deepEqual(audit.findings, []);
      assert.equal(audit.refused.length, result.denied_signals.length);
    });
  }
}
