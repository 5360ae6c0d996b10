import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type Bars,
  type LiveAccount,
  type LiveEvent,
  loadBars,
  type Strategy,
  startLive,
} from '../../../../library/index.js';
import { configOf } from '../../../support/execution.js';
import { inLongForm } from '../../../support/long-form.js';
import { randomBars, seededRandom } from '../../../support/random.js';
import { runs } from '../../../support/scale.js';

const strategy: Strategy = {
  entry: [{ name: 'ema_cross_up', signal_type: 'TRIGGER', params: { window_fast: 3, window_slow: 8 } }],
  exit: [{ name: 'ema_cross_down', signal_type: 'TRIGGER', params: { window_fast: 3, window_slow: 8 } }],
};
const cooldown = { short_loss_limit: 2, short_window_bars: 12, long_loss_limit: 4, long_window_bars: 60 };
const config = {
  ...{ fee_pct: 0.001, slippage_pct: 0.0005, min_trade_amount: 1, max_open_positions: 3, atr_long_weight: 0 },
  cooldown_config: { '1h': cooldown },
};

const BARS = 700;
const market = randomBars({ seed: 5, barCount: BARS, gapChance: 0.02, flatChance: 0.05 });

const part = (from: number, to: number): Promise<Bars> => partOf((i) => from <= i && i < to);

function partOf(isIn: (i: number) => boolean): Promise<Bars> {
  const { time, open, high, low, close, volume } = market;
  const [t, o, h, l, c, v] = [time, open, high, low, close, volume].map((column) => column.filter((_, i) => isIn(i)));
  return loadBars({ columns: { time: t!, open: o!, high: h!, low: l!, close: c!, volume: v! }, interval: '1h' });
}

const barAt = (i: number) => ({
  ...{ time: market.time[i]!, open: market.open[i]!, high: market.high[i]! },
  ...{ low: market.low[i]!, close: market.close[i]!, volume: market.volume[i]! },
});

const closedIn = (events: readonly LiveEvent[]) =>
  events.flatMap((event) =>
    event.kind === 'exit' ? [[event.time, event.trade.exitPrice, event.trade.profitLoss]] : [],
  );

const FIRST = 150;

/** The events of a run that nothing interrupts. */
const undisturbed = (async () => {
  const bot = startLive({ strategy, history: await part(0, FIRST), config });
  const events: LiveEvent[] = [];
  for (let i = FIRST; i < BARS; i++) events.push(...bot.step(barAt(i)).events);
  return { events, value: bot.value, account: bot.account() };
})();

const stored = (account: LiveAccount): LiveAccount => JSON.parse(JSON.stringify(account)) as LiveAccount;

test('a bot killed at any bar goes on from its account and the bars since then, with the same events', async () => {
  const random = seededRandom(11);
  const { events: expected, value } = await undisturbed;
  for (let kill = 0; kill < runs(15, 200); kill++) {
    const at = FIRST + Math.floor(random() * (BARS - FIRST));
    const bot = startLive({ strategy, history: await part(0, FIRST), config });
    const events: LiveEvent[] = [];
    for (let i = FIRST; i < at; i++) events.push(...bot.step(barAt(i)).events);
    const account = stored(bot.account());
    const to = Math.min(BARS, at + Math.floor(random() * 30)); // bars that came while it was away
    const history = await part(Math.floor(random() * Math.min(at + 1, to)), to);
    const next = startLive({ strategy, history, config, account });
    assert.deepEqual(
      next.warnings.filter((line) => line.includes('account')),
      [],
    );
    for (const step of next.caughtUp) events.push(...step.events);
    for (let i = to; i < BARS; i++) events.push(...next.step(barAt(i)).events);
    assert.deepEqual(events, expected, `killed at bar ${at}`);
    assert.equal(next.value, value);
    assert.deepEqual(stored(next.account()), stored((await undisturbed).account));
  }
  assert.ok(closedIn(expected).length > 5);
});

test('an account of another strategy, settings, asset or bars goes on with a warning, or is refused', async () => {
  const bot = startLive({ strategy, history: await part(0, FIRST), config });
  for (let i = FIRST; i < 300; i++) bot.step(barAt(i));
  const account = stored(bot.account());
  const history = await part(290, 310);
  const resumed = (changed: object) => startLive({ strategy, history, config, account, ...changed }).warnings;
  const named = 'the account was made with another strategy or other settings';
  assert.deepEqual(resumed({}), startLive({ strategy, history: await part(0, 310), config }).warnings);
  assert.match(
    resumed({ config: { ...config, fee_pct: 0.01 } }).join(),
    new RegExp(`${named}: fee_pct was 0.001, is 0.01`),
  );
  const slower = {
    ...strategy,
    entry: [{ name: 'ema_cross_up', signal_type: 'TRIGGER', params: { window_fast: 3, window_slow: 9 } }],
  };
  assert.match(resumed({ strategy: slower }).join(), /entry\[0\]\.params\.window_slow was 8, is 9/);
  const columns = {
    time: history.time,
    open: history.open,
    high: history.high,
    low: history.low,
    close: history.close,
  };
  const one = Float64Array.from(history.volume, (volume, i) => (i === 3 ? volume + 1 : volume));
  assert.match(
    resumed({ history: await loadBars({ columns: { ...columns, volume: one }, interval: '1h' }) }).join(),
    /history: 1 of 10 bars differ from those that the account has seen, the first at .* where volume is/,
  );
  const ofOther = await loadBars({
    columns: { ...columns, volume: Float64Array.from(history.volume, (volume) => volume + 1) },
    interval: '1h',
  });
  assert.throws(() => resumed({ history: ofOther }), /history must be of the asset of the account: all 10 bars/);
  const named2 = await loadBars({ columns: { ...columns, volume: one }, interval: '1h', asset: 'ETH' });
  assert.throws(
    () => resumed({ history: named2 }),
    /history must be of the asset of the account, "unnamed", was "ETH"/,
  );
});

test('an account without its bars needs the history since it began', async () => {
  const bot = startLive({ strategy, history: await part(0, FIRST), config });
  const { bars: _, ...account } = stored(bot.account());
  const begin = async (from: number) => startLive({ strategy, history: await part(from, 200), config, account });
  assert.equal((await begin(0)).caughtUp.length, 50);
  const time = new Date(market.time[0]!).toISOString().slice(0, 16);
  await assert.rejects(begin(10), new RegExp(`history must begin at or before the bar of ${time}`));
});

test('a stored account that is not whole is refused with what it lacks', async () => {
  const history = await part(0, FIRST);
  const account = stored(startLive({ strategy, history, config }).account());
  const begin = (changed: object) => () => startLive({ strategy, history, config, account: changed as LiveAccount });
  const { cash: _, lossTimes: __, ...partial } = account;
  assert.throws(begin(partial), /^EngineError: account lacks cash, lossTimes$/);
  assert.throws(begin({ ...account, cash: '5' }), /account\.cash must be as account\(\) returned it, was "5"/);
  assert.throws(begin({ ...account, newestbar: 1 }), /"newestbar" is not a key here, did you mean newestBar\?/);
});

test('an account from when plain strategies had one of their own goes on with the same events', async () => {
  const { events: expected, value } = await undisturbed;
  const resolved = configOf(config);
  let bot = startLive({ strategy, history: await part(0, FIRST), config });
  const events: LiveEvent[] = [];
  for (let i = FIRST; i < BARS; i++) {
    events.push(...bot.step(barAt(i)).events);
    if (i % 20 !== 0) continue;
    const account = stored(bot.account());
    const { isPlain: _, guard: __, refusals, orders: ___, ordersPlaced: ____, ordersExpired: _____, ...rest } = account;
    const state = {
      ...account,
      refusals,
      positions: account.positions.map((one) => ({ ...one, entryBar: 0, exits: [] })),
    };
    const old = stored({ ...rest, ...inLongForm(state, resolved) } as unknown as LiveAccount);
    bot = startLive({ strategy, history: await part(i - 1, i + 1), config, account: old });
  }
  assert.deepEqual(events, expected);
  assert.equal(bot.value, value);
});

test('an account of an earlier version goes on where no bar number matters, and is refused otherwise', async () => {
  const history = await part(0, FIRST);
  const {
    historyFrom: _,
    newestBar: __,
    lossTimes: ___,
    blockedBars: ____,
    bars: _____,
    origin: ______,
    ...rest
  } = startLive({
    ...{ strategy, history, config },
  }).account();
  const old = { ...rest, lossBars: [], blockedThrough: -1 };
  const account = old as unknown as LiveAccount;
  const bot = startLive({ strategy, history, config, account });
  const fresh = startLive({ strategy, history, config });
  for (let i = FIRST; i < 300; i++) assert.deepEqual(bot.step(barAt(i)), fresh.step(barAt(i)));
  const lost = { ...old, lossBars: [140] } as unknown as LiveAccount;
  assert.throws(
    () => startLive({ strategy, history, config, account: lost }),
    /of an earlier version .* run the strategy once more/,
  );
});
