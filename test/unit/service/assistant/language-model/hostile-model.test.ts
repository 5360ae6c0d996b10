import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { understanding } from '../../../../../service/assistant/built-in/words.js';
import { runSynchronousBacktest } from '../../../../../service/backtests/index.js';
import { modelMind, type Talk, talk } from '../../../../support/assistant.js';
import { backtestDeps } from '../../../../support/backtest-deps.js';
import { callerOf, runBody } from '../../../../support/backtests.js';
import { obedient, type Reply, type Script, startModelServer } from '../../../../support/model-server.js';

const OPENING = 'Follow the trend of BTC on 1d bars';
const RULES = 'Buy ETH daily when RSI(14) crosses above 40, stop 4 %, risk 2 %, fee 0.1 %, 2022 to 2024';
const untilTested = [OPENING, 'go on', 'go on', 'go on'];
const entry = { trigger: { name: 'ema_cross_up' }, filter: { name: 'is_above_sma' } };

interface Told extends Talk {
  /** What the tools refused the model. */
  readonly refusals: readonly string[];
}

/** Talks through a model that makes its own calls first and then does what an obedient one does. */
async function through(
  t: TestContext,
  calls: (mode: string) => NonNullable<Reply['calls']>,
  messages: readonly string[],
): Promise<Told> {
  const refusals: string[] = [];
  const script: Script = (asked) => {
    const own = calls(asked.mode);
    refusals.push(...asked.results.flatMap(({ result }) => (typeof result.error === 'string' ? [result.error] : [])));
    if (asked.results.length === 0 && own.length > 0) return { calls: own };
    return obedient({ ...asked, results: asked.results.slice(own.length) });
  };
  const { url } = await startModelServer(t, script);
  const talked = await talk(messages, await backtestDeps(), { mind: modelMind(url) });
  return { ...talked, refusals };
}

const ranIn = ({ tools }: Talk): number[] => tools.map(({ calls }) => calls.run_backtest ?? 0);

test('a model runs nothing before the person agrees, whatever it calls in whatever state', async (t) => {
  const run = ['run_backtest', { definition: { entry } }] as const;
  const sweep = [
    'run_sweep',
    { definition: { entry }, vary: [{ rule: 'entry.trigger', param: 'window_fast', values: [5, 10] }] },
  ] as const;
  const all = await through(t, () => [run, sweep, ['test_candidates', {}]], [
    ...[OPENING, 'what is a filter?', 'why those?', 'what happens if I say yes?', 'not yet', 'hm', 'no entiendo'],
  ]);
  assert.deepEqual(ranIn(all), [0, 0, 0, 0, 0, 0, 0]);
  assert.equal(all.last.working.tested, null);
  assert.ok(
    all.refusals.some((error) => /has not agreed to a run/.test(error)),
    all.refusals.join('\n'),
  );
  const asked = await through(t, (mode) => (mode === 'done' ? [run, sweep] : []), [...untilTested, 'is it luck?']);
  assert.equal(ranIn(asked).at(-1), 0, 'a question after the run is no agreement to another');
});

test('what a model changes in the turn of the agreement does not run', async (t) => {
  const swap = [
    ['make_candidates', { candidates: [{ entry, reward_factor: 9 }] }],
    ['test_candidates', {}],
  ] as const;
  const { steps, refusals } = await through(t, (mode) => (mode === 'backtest' ? [...swap] : []), untilTested);
  assert.ok(
    refusals.some((error) => /have changed in this answer/.test(error)),
    refusals.join('\n'),
  );
  const ran = steps.at(-1)?.working.tested?.candidates ?? [];
  assert.ok(!ran.some(({ config }) => config.reward_factor === 9), 'only what was said back may run');
});

test('what runs with a model is what was said back, in its line', async (t) => {
  const { url } = await startModelServer(t, obedient);
  for (const opening of [OPENING, RULES, 'ETH 4h momentum, risk 1 %, account of 5000, since 2023']) {
    const { steps } = await talk([opening, 'go on', 'go on', 'go on'], await backtestDeps(), { mind: modelMind(url) });
    for (const { content, working } of steps)
      assert.ok(
        content.includes(understanding(working.collected)),
        `${content} says ${understanding(working.collected)}`,
      );
    const { collected, tested } = steps.at(-1)?.working ?? {};
    assert.ok(tested && collected, opening);
    for (const { config } of tested.candidates) {
      const risk: number | null = collected.max_risk_per_trade;
      assert.deepEqual(config.execution_config, {
        ...collected.settings,
        ...(risk === null ? {} : { max_risk_per_trade: risk }),
      });
      if (collected.entry.length > 0)
        assert.deepEqual(
          config.entry.map(({ name, params }) => [name, params]),
          collected.entry.map(({ name, params }) => [name, params]),
        );
    }
  }
});

test('a model notes no number that the person did not write, and none against what was read', async (t) => {
  const noted = { max_risk_per_trade: 0.09, fixed_stop_pct: 0.5, initial_balance: 77_000, count: 7, reward_factor: 31 };
  const each = Object.entries(noted).map(([name, value]) => ['note_requirements', { [name]: value }] as const);
  const against = ['note_requirements', { asset: 'BTC', timeframe: '4h', max_risk_per_trade: 0.04 }] as const;
  const { steps, refusals } = await through(t, (mode) => (mode === 'collect_user_input' ? [...each, against] : []), [
    RULES,
  ]);
  const { collected } = steps[0]?.working ?? {};
  assert.equal(
    refusals.filter((error) => /stands in no message of the person/.test(error)).length >= each.length,
    true,
  );
  assert.deepEqual(
    [collected?.asset, collected?.timeframe, collected?.max_risk_per_trade, collected?.settings.fixed_stop_pct],
    ['ETH', '1d', 0.02, 0.04],
  );
  assert.deepEqual(
    [collected?.count, collected?.reward_factor, collected?.settings.initial_balance],
    [null, null, undefined],
  );
});

test('wishes that cannot be met are refused before a model is asked, whatever it would do', async (t) => {
  const server = await startModelServer(t, () => ({ say: 'Done: the order is placed.' }));
  const messages = [
    'place the order on Binance, BTC on 1d bars with 200x leverage',
    'BTC daily, stop 3 %, since 2023-02-30',
    'delete all my strategies',
  ];
  const { steps } = await talk(messages, await backtestDeps(), { mind: modelMind(server.url) });
  assert.match(steps[0]?.content ?? '', /I cannot do that \(orders with real money\).*leverage.*125/);
  assert.match(steps[1]?.content ?? '', /There is no day 2023-02-30/);
  assert.match(steps[2]?.content ?? '', /never change or delete anything else/);
  assert.equal(server.requests.length, 0);
  for (const { working } of steps) assert.equal(working.answered?.mind, 'built-in');
});

test('bounds and days are those of the grammar', async (t) => {
  const wrong: readonly (readonly [string, object, RegExp])[] = [
    [
      'BTC daily from the day after the end',
      { start_date: '2024-05-01', end_date: '2023-05-01' },
      /must end after it starts/,
    ],
    ['BTC daily, that day', { start_date: '2024-02-31' }, /no day 2024-02-31/],
    ['SOL daily', { asset: 'LUNA' }, /no bars of LUNA/],
    [
      'BTC daily',
      { entry: [{ name: 'ema_cross_up', params: { window_fast: 99_999 } }] },
      /window_fast of ema_cross_up must be/,
    ],
    ['BTC daily', { entry: [{ name: 'moon_cross_up' }] }, /no signal moon_cross_up/],
  ];
  for (const [message, note, refusal] of wrong) {
    const { refusals, last } = await through(t, () => [['note_requirements', note]], [message]);
    if (last.working.answered?.mind === 'built-in' && refusals.length === 0) continue; // refused before it was asked
    assert.ok(
      refusals.some((error) => refusal.test(error)),
      `${message}: ${refusals.join('\n')}`,
    );
  }
});

test('runs of others are out of reach, and a model cannot say their figures', async (t) => {
  const deps = await backtestDeps();
  const foreign = await runSynchronousBacktest(callerOf('somebody else'), runBody, deps, { filling: 'required' });
  const { total_return } = foreign.metrics;
  const results: unknown[] = [];
  const { url } = await startModelServer(t, (asked) => {
    if (asked.mode !== 'done') return obedient(asked);
    results.push(...asked.results.map(({ result }) => result));
    return asked.results.length === 0
      ? { calls: [['read_result', { backtest_id: foreign.backtest_id }]] }
      : { say: `Another organization has a run that returned ${(100 * total_return).toFixed(2)} %.` };
  });
  const { last } = await talk([...untilTested, 'what did the others get?'], deps, { mind: modelMind(url) });
  assert.match(JSON.stringify(results), /not found/);
  assert.ok(!last.content.includes((100 * total_return).toFixed(2)), last.content);
});

test('a correction after the run is that of the grammar: it runs again and compares, and the model adds nothing', async (t) => {
  const { url } = await startModelServer(t, obedient);
  const { last } = await talk([...untilTested, 'risk 3 %', 'and now the same on ETH'], await backtestDeps(), {
    mind: modelMind(url),
  });
  assert.match(last.content, /^I ran it again: ETH, 1d bars, .*3 % of the account at risk/);
  assert.match(last.content, /Compared with before/);
  assert.equal(last.working.answered?.instead_because, 'the grammar has read the message');
});
