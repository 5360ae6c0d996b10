import assert from 'node:assert/strict';
import test from 'node:test';
import { merged } from '../../../../../service/assistant/built-in/change.js';
import { readMessage } from '../../../../../service/assistant/built-in/read-message.js';
import { freshWorking } from '../../../../../service/assistant/index.js';
import { talk } from '../../../../support/assistant.js';
import { backtestDeps } from '../../../../support/backtest-deps.js';
import { after, assets } from '../../../../support/said-back.js';

const cross = 'btc 1h, buy when sma 20 crosses above sma 50';
const crossIs = (fast: number, slow: number, type = 'sma') =>
  `BTC, 1h bars, buy on ${type}_cross_up (window_fast ${fast}, window_slow ${slow})`;

test('one end of the window moves, and the other one stays', () => {
  const moved: readonly (readonly [string, string, string])[] = [
    ['start in june 2022 instead', '2022-06-01', '2024-12-31'],
    ['change the start to March 2023', '2023-03-01', '2024-12-31'],
    ['make it start in february 2022', '2022-02-01', '2024-12-31'],
    ['begin in 2023', '2023-01-01', '2024-12-31'],
    ['end it in 2023', '2022-01-01', '2023-12-31'],
    ['the end should be June 2024', '2022-01-01', '2024-06-30'],
    ['start lieber im juni 2022', '2022-06-01', '2024-12-31'],
    ['ende im dezember 2023', '2022-01-01', '2023-12-31'],
    ['empieza en marzo de 2023', '2023-03-01', '2024-12-31'],
    ['termina en junio de 2024', '2022-01-01', '2024-06-30'],
    ['commence en mars 2023', '2023-03-01', '2024-12-31'],
    ['termine en juin 2024', '2022-01-01', '2024-06-30'],
  ];
  for (const [text, start, end] of moved)
    assert.equal(after(`${cross}, from 2022 to 2024`, text), `${crossIs(20, 50)}, from ${start} to ${end}`, text);
  assert.match(after(cross, 'test from jan 22 to dec 23'), /from 2022-01-01 to 2023-12-31$/);
  const known = { ...freshWorking.collected, start_date: '2022-01-01', end_date: '2022-12-31' };
  assert.match(readMessage('start in 2024', known, assets).refused.join(), /from 2024-01-01 to 2022-12-31/);
});

test('the slower average, both averages and other periods are said of a cross that is known', () => {
  assert.equal(after(cross, 'the slower one should be 100, not 50'), crossIs(20, 100));
  assert.equal(after(cross, 'make the fast one 10'), crossIs(10, 50));
  assert.equal(after(cross, 'use 10 and 100 instead of the usual ones'), crossIs(10, 100));
  assert.equal(after(cross, 'use exponential averages for both'), crossIs(20, 50, 'ema'));
  assert.equal(after(cross, 'der langsame soll 100 sein'), crossIs(20, 100));
  assert.equal(after(cross, 'cambia la lenta a 100'), crossIs(20, 100));
  assert.equal(after(cross, 'mejor con medias exponenciales, las dos'), crossIs(20, 50, 'ema'));
  assert.equal(after(cross, 'la lente à 100'), crossIs(20, 100));
  assert.match(after('sol 1h macd cross', '8 21 5 settings'), /window_fast 8, window_slow 21, window_sign 5/);
});

test('a further condition joins, one of the exit replaces that of the exit, and the last one is dropped', () => {
  const filtered = `${crossIs(20, 50)} and adx_strong_trend (window 14, threshold 20)`;
  assert.equal(after(cross, 'only when adx is over 20'), filtered);
  assert.equal(after(cross, 'also need volume twice the average', 'drop that last condition'), crossIs(20, 50));
  assert.equal(after(cross, 'only when adx is over 20', 'enlève le filtre'), crossIs(20, 50));
  assert.equal(after(cross, 'aber nur über der 200er ema'), `${crossIs(20, 50)} and price_above_ema (window 200)`);
  const turtle = after('btc daily donchian breakout 20', 'exit on 20 day low', '10 day low rather');
  assert.equal(
    turtle,
    'BTC, 1d bars, buy on dc_upper_breakout (window 20), sell on the formula close < lowest(low, 10)[1]',
  );
});

test('a level that an oscillator comes back over is one cross, and an exit at a level lies beyond the entry', () => {
  const cci = 'ETH, 30m bars, buy on the formula crosses_above(cci(20, 0.015), -100)';
  assert.equal(after('eth 30m, buy when cci drops below -100 and comes back above it'), cci);
  assert.equal(
    after('eth 30m cci below -100 then back above', 'get out at 100'),
    `${cci}, sell on the formula cci(20, 0.015) > 100`,
  );
  const williams = after('sol 4h, williams r crosses back over -80', 'sell at -20', '-10 rather');
  assert.match(williams, /crosses_above\(williams_r\(14\), -80\), sell on the formula williams_r\(14\) > -10$/);
});

test('after "short BTC" a condition without a verb sells short, and one that buys trades both sides', () => {
  const short = 'BTC, 1h bars, sell short on rsi_cross_down (window 14, threshold 60)';
  assert.equal(after('short BTC', '1h, when rsi crosses below 60'), short);
  const both = after('short BTC 1h', 'buy when rsi crosses above 40');
  assert.match(both, /buy on rsi_cross_up \(window 14, threshold 40\), sell short on rsi_cross_down/);
});

test('a value that is corrected in the same breath counts as the later one', () => {
  assert.match(after('btc 15m, buy when rsi is below 30... no wait, make that 30m'), /^BTC, 30m bars/);
  assert.match(after(cross, 'stop 5 %. sorry, 4 %.'), /, a stop 4 % from the entry$/);
  const band = after(
    'btc 1h, long when supertrend flips up, short when it flips down',
    'supertrend with 14 and 2.5 please',
  );
  assert.match(
    band,
    /flip_up \(window 14, multiplier 2\.5\), sell short on supertrend_flip_down \(window 14, multiplier 2\.5\)/,
  );
  const green = 'SOL 5m, buy when volume is more than 2 times its average and the close is above the open';
  assert.match(after(green), /volume > 2 \* sma\(volume, 20\) and the formula close > open$/);
});

test('a price is no level of an oscillator', () => {
  const told = (text: string) =>
    readMessage(
      text,
      merged(freshWorking.collected, readMessage('btc 1h rsi below 30', freshWorking.collected, assets).change),
      assets,
    );
  assert.deepEqual(
    [told('sell at 60000').change.exit, told('sell at 60000').notUnderstood],
    [undefined, ['sell at 60000']],
  );
});

test('amounts are said in short, by half, and without a stop', () => {
  assert.match(after(cross, 'risk 1'), /, 1 % of the account at risk in a trade$/);
  assert.match(after(cross, 'risk 2 percent', 'actually half of that'), /, 1 % of the account at risk in a trade$/);
  assert.match(after(cross, 'stop 3%', 'a tighter stop, 2%'), /, a stop 2 % from the entry$/);
  assert.match(after(cross, 'stop two atr', 'no wait three'), /, a stop 3 times the effective ATR from the entry$/);
  assert.match(after(cross, 'fees are 0.05'), /, a fee of 0\.05 % a fill$/);
  assert.match(after(cross, 'fee of 0.001'), /, a fee of 0\.1 % a fill$/);
  assert.match(after(cross, 'exit after 2 days'), /, at most 48 bars in a trade$/);
  for (const text of ['no stop', 'ohne stop', 'sin stop', 'sans stop'])
    assert.match(after(cross, 'stop 3%', text), /\), no stop$/, text);
  assert.match(after(cross, 'no stop', 'trailing stop of 3 %'), /\), a stop 3 % from the entry, a trailing stop 3 %/);
  assert.match(
    after(cross, 'stop 3 %', 'no stop', 'break even at 1R'),
    /, a stop 3 % from the entry, a stop that moves/,
  );
  assert.match(after(cross, 'trailing stop of 3 %', 'break even at 1R', 'no stop'), /\), no stop$/);
  assert.match(after(cross, 'no stop', '2% stop'), /\), a stop 2 % from the entry$/);
});

test('a run without a stop or a target leaves by neither, and says so', async () => {
  const opening = 'BTC daily, buy when RSI(14) crosses above 30, sell when it crosses above 70, no stop, no target';
  const { steps } = await talk([opening, 'go on', 'go on', 'go on', 'with a 5% stop'], await backtestDeps());
  const [run, stopped] = steps.slice(-2);
  assert.match(run?.content ?? '', /1\. rsi_cross_up, exit on rsi_cross_up: return/);
  const exits = (step: typeof run) => Object.keys(step?.working.tested?.candidates[0]?.record?.exits ?? {});
  assert.ok(
    exits(run).every((reason) => reason === 'SIGNAL' || reason === 'END'),
    exits(run).join(),
  );
  assert.match(stopped?.content ?? '', /1\. rsi_cross_up, exit on rsi_cross_up or stop: return/);
  assert.ok(exits(stopped).includes('SL'));
});

test('questions after a run are answered from its record, and a polite word is answered politely', async () => {
  const opening = 'BTC daily, buy when RSI(14) crosses above 40, sell at 65, stop 4 %, 2022 to 2024';
  const questions = [
    'average win vs average loss?',
    'which trade was the best',
    'how long was it in the market',
    'what did the stop do',
    'did it work?',
    'thanks',
  ];
  const { steps } = await talk([opening, 'go on', 'go on', 'go on', ...questions], await backtestDeps());
  const tested = steps[3]?.working.tested ?? null;
  const record = tested?.candidates[0]?.record;
  assert.ok(tested !== null && record !== undefined);
  const { gains = 0, losses = 0, won, lost, best, exposure = 0, exits } = record;
  assert.ok(Math.abs(gains + losses - record.profit) < 1e-6 && won > 0 && lost > 0);
  const [sums, trade, held, ends, worth, polite] = steps.slice(4).map(({ content, working }) => {
    assert.deepEqual(working.tested, tested, 'a question runs nothing');
    return content;
  });
  assert.match(sums ?? '', new RegExp(`${won} winners made ${(gains / won).toFixed(2)} on average`));
  assert.match(sums ?? '', new RegExp(`a profit factor of ${(gains / -losses).toFixed(2)}`));
  assert.match(trade ?? '', new RegExp(`in on ${best?.entry}, out on ${best?.exit}`));
  assert.match(held ?? '', new RegExp(`${(100 * exposure).toFixed(1)} % of the time`));
  assert.match(ends ?? '', new RegExp(`the stop ended ${exits.SL?.count} for`));
  assert.match(worth ?? '', /^Candidate 1 (?:lost|made) /);
  assert.equal(polite, 'You are welcome.');
});

test('a what-if of the stop runs again, and so does the other one of two assets that are compared', async () => {
  const opening = 'BTC daily, buy when RSI(14) crosses above 40, stop 4 %, 2022 to 2024';
  const wishes = [
    'would it have been better without the stop?',
    'with a 4 % stop again',
    'try stop 6',
    'compare eth and btc',
  ];
  const { steps } = await talk([opening, 'go on', 'go on', 'go on', ...wishes], await backtestDeps());
  const ran = steps.slice(4).map(({ content }) => content.split('\n')[0] ?? '');
  assert.match(ran[0] ?? '', /^I ran it again: BTC, .*, no stop\.$/);
  assert.match(ran[2] ?? '', /^I ran it again: BTC, .*, a stop 6 % from the entry\.$/);
  assert.match(ran[3] ?? '', /^I ran it again: ETH, .*, a stop 6 % from the entry\.$/);
});
