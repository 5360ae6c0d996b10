import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { signals } from '../../engine/signals/index.js';
import { runBacktest } from '../../research/backtest/index.js';
import { sharedBrowser, until } from '../support/browser.js';
import { drawSettings, pick, type Random } from '../support/mixed-worlds.js';
import { browserOptions } from '../support/pages.js';
import { randomParams } from '../support/params.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';
import { startTestService } from '../support/service.js';
import { root } from '../support/tree.js';

const store = openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') });

/** Signals over prices alone. */
const drawn = signals.filter(({ params, observes, requires }) => {
  const ofPrices = requires.every((name) => ['Open', 'High', 'Low', 'Close', 'Volume'].includes(name));
  const isPlain = Object.values(params).every(({ type }) => type !== 'formula' && type !== 'str');
  return ofPrices && isPlain && observes === undefined;
});

function randomRequest(random: Random) {
  const interval = pick(random, ['1h', '1h', '5m', '1d']);
  const timeframes = { '5m': [null, '15m', '1h'], '1h': [null, null, '4h', '1d'], '1d': [null] }[interval] ?? [null];
  const rule = (role: 'TRIGGER' | 'FILTER') => {
    const signal = pick(random, drawn);
    return {
      name: signal.name,
      signal_type: role,
      timeframe: pick(random, timeframes),
      params: randomParams(signal, random),
      ...(random() < 0.1 && { negate: true }),
      ...(random() < 0.1 && { within_bars: 2 + Math.floor(random() * 5) }),
      ...(interval === '1h' && random() < 0.15 && { asset: 'ETH' }),
    };
  };
  const side = () => (random() < 0.6 ? [rule('TRIGGER')] : [rule('TRIGGER'), rule('FILTER')]);
  const both = random() < 0.4 ? { short_entry: side(), short_exit: side() } : {};
  const strategy = { name: 'random', entry: side(), exit: random() < 0.7 ? side() : [], ...both };
  const settings = {
    ...drawSettings(random),
    ...(interval === '1h' && random() < 0.1 && { detail_interval: '5m' }),
  };
  const fromMs = Date.UTC(2023, Math.floor(random() * 9), 1 + Math.floor(random() * 28), 12);
  const window =
    random() < 0.15 && interval !== '5m'
      ? null
      : { startMs: fromMs, endMs: fromMs + (interval === '5m' ? 12 : 90) * 86_400_000 };
  return { series: { asset: 'BTC', interval }, strategy, settings, window };
}

type Asked = ReturnType<typeof randomRequest>;

/**
 * JSON in which every bit of a number shows; the page runs the same text. Growth is made of a power with a
 * broken exponent, whose last bit differs between the versions of V8 in Node and in a browser: 12 digits of it.
 */
const exactJson = `(value) => JSON.stringify(value, (key, one) =>
  /^(irr_|calmar|annual)/.test(key) && Number.isFinite(one) ? one.toPrecision(12) :
  ArrayBuffer.isView(one) ? [...one] : typeof one === 'number' && (!Number.isFinite(one) || Object.is(one, -0)) ? String(one) + (1 / one < 0 ? '-' : '') : one)`;
const toExactJson = new Function(`return ${exactJson}`)() as (value: unknown) => string;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The run as the command line and the service make it; the text of a refusal for one that they refuse. */
async function inNode({ series, strategy, settings, window }: Asked): Promise<string> {
  const dates = window === null ? {} : { start: isoTime(window.startMs), end: isoTime(window.endMs) };
  try {
    const request = { strategy, ...series, window: dates, config: settings };
    const { simulation, result } = await runBacktest(request, { store, engineVersion: 'test' });
    const { trades, denials, equity, exposedBars } = simulation;
    const facts = [trades, denials.bars, denials.reasons, equity, exposedBars, result.metrics];
    return digest(toExactJson([...facts, result.extended_metrics, result.side_metrics ?? null]));
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

/** The same in the page, by the engine in its thread. */
const inPage = (asked: Asked): string => `(async () => {
  const { engine, series } = window.barline;
  const exact = ${exactJson};
  try {
    const asked = ${JSON.stringify(asked)};
    await series.load(asked.series);
    await series.loadFor(asked);
    const { simulation, metrics, extendedMetrics, sideMetrics } = await engine.ask('whole', asked);
    const { trades, denials, equity, exposedBars } = simulation;
    return exact([trades, denials.bars, denials.reasons, equity, exposedBars, metrics, extendedMetrics, sideMetrics]);
  } catch (error) {
    if (error.refusal === undefined) throw error;
    return error.refusal.code;
  }
})()`;

test('the engine of the page makes the runs of the service, equal in every bit', {
  ...browserOptions,
  timeout: 1_800_000,
}, async () => {
  const count = runs(60, 1_000);
  const service = await startTestService();
  try {
    const browser = await sharedBrowser();
    const page = await browser.visit(await service.openWorkbench(), { width: 1280 });
    await until(page, `window.barline`);
    const random = seededRandom(57);
    let compared = 0;
    for (let i = 0; i < count; i++) {
      const asked = randomRequest(random);
      const expected = await inNode(asked);
      const text = await page.evaluate<string>(inPage(asked));
      assert.equal(text.startsWith('[') ? digest(text) : text, expected, JSON.stringify(asked));
      if (expected.length === 64) compared++;
    }
    assert.ok(compared > 0.8 * count, `${compared} of ${count} ran`);
    assert.deepEqual(page.complaints, []);
    await page.close();
  } finally {
    await service.stop();
  }
});
