import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { renderTearSheet } from '../../../../report/index.js';
import { buildTearSheet, runBacktest } from '../../../../research/backtest/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const store = openBars({ home: temporaryFolder('tear-sheet-run'), sampleDir: join(root, 'sample') });

const cross = { name: 'ema_cross_up', signal_type: 'TRIGGER', timeframe: '1d', params: { window_fast: 5 } };
const above = { name: 'is_above_sma', signal_type: 'FILTER', timeframe: null, params: { window: 40 } };
const below = { name: 'ema_cross_down', signal_type: 'TRIGGER', timeframe: '4h', params: { window_slow: 30 } };

async function sheetOf(strategy: object, config: object = { fee_pct: 0.001, max_hold_bars: null }) {
  const request = { strategy: { name: 'crosses', asset: 'BTC', entry: [cross, above], ...strategy }, config };
  return buildTearSheet(
    await runBacktest({ ...request, interval: '4h', window: { start: '2023-01-01' } }, { store, engineVersion: '0' }),
  );
}
const sheet = await sheetOf({ exit: [below], reward_factor: 3 });
const html = renderTearSheet(sheet);

const textOf = (page: string): string =>
  page
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\u00a0/g, ' ')
    .replace(/\s+/g, ' ');
const section = (page: string, id: string): string =>
  textOf(new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(page)?.[0] ?? '');

test('the tear sheet states what the strategy does, with parameters and timeframes', () => {
  const text = section(html, 'strategy');
  const [enters, leaves] = [text.indexOf('Enters when'), text.indexOf('Leaves when')];
  const places = [
    enters,
    text.indexOf('ema_cross_up on 1d: window_fast 5, window_slow 21 Trigger.'),
    text.indexOf('is_above_sma on 4h: window 40 Filter. True while the close is above its simple average.'),
    leaves,
    text.indexOf('ema_cross_down on 4h: window_fast 9, window_slow 30 Trigger.'),
  ];
  assert.ok(places[0]! >= 0, text);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    `${places} in: ${text}`,
  );
  assert.doesNotMatch(text, /refused/);
});

test('settings that differ from the defaults stand beside the rules, all others below, each once', () => {
  const own = section(html, 'strategy');
  assert.match(own, /fee_pct fee on every entry and every exit; default 0\.0085 0\.001 /);
  assert.match(own, /max_hold_bars .*; default 1000 null /);
  assert.match(own, /reward_factor .*; default 2 3 /);
  const rest = section(html, 'configuration');
  for (const name of Object.keys(sheet.execution)) {
    const [here, there] = [own, rest].map((text) => new RegExp(` ${name} `).test(text));
    assert.ok(here !== there, `${name} is listed ${here ? 'twice' : 'nowhere'}`);
  }
});
