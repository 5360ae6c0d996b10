import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { makeChange, type RuleEdit } from '../../../../service/assistant/plan/plan.js';
import { planWords } from '../../../../service/assistant/plan/say.js';
import { modelResponder, talk } from '../../../support/assistant.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { nothingRead, type Reply, type Script, startModelServer } from '../../../support/model-server.js';

/** Conversations of which a scripted model reads the messages, its lies among them. */

const when = (role: 'entry' | 'exit' | 'short_entry' | 'short_exit', ...formulas: readonly string[]): RuleEdit => ({
  ...{ edit: 'set', role },
  rules: formulas.map((value) => ({ signal: 'formula', params: [{ name: 'when', value }] })),
});
const fixedStop = (share: number) => [
  { name: 'stop_loss_calculation', value: 'fixed' },
  { name: 'fixed_stop_pct', value: share },
];

/** What the model says of a message, beside what it leaves empty. */
const reads = (parts: object): Reply => ({ say: { ...nothingRead, ...parts } });

/** A turn: what is said, what the model makes of it, and what is known and said then. */
interface Told {
  readonly say: string;
  readonly model?: object | string;
  readonly plan?: string;
  readonly says?: RegExp;
  readonly not?: RegExp;
  readonly mode?: string;
}

const german = 'Kaufe Bitcoin auf 4h wenn der RSI(14) unter 30 fällt, Stop 3 %';
const germanPlan = 'BTC 4h, buy when rsi(close, 14) < 30, stop 3 %';
const germanChange = makeChange({
  ...{ assets: ['BTC'], interval: '4h' },
  settings: fixedStop(0.03),
  rules: [when('entry', 'rsi(close, 14) < 30')],
});
const opening: Told = { say: german, model: { change: germanChange }, plan: germanPlan };
const toTheEnd: readonly Told[] = [
  opening,
  { say: 'nur 2022', model: { change: makeChange({ start: '2022-01-01', end: '2022-12-31' }) } },
  ...['go on', 'go on', 'go on'].map((say) => ({ say })),
];

const conversations: Readonly<Record<string, readonly Told[]>> = {
  'an edit in every state': [
    opening,
    { say: 'go on', mode: 'assemble_strategy' },
    {
      say: 'lieber 25 statt der 30',
      model: { change: makeChange({ rules: [{ edit: 'number', name: 'rsi', param: 'threshold', value: 25 }] }) },
      says: /I did not understand "30".*Say "yes" to take that/s,
      plan: germanPlan,
    },
    { say: 'yes', plan: 'BTC 4h, buy when rsi(close, 14) < 25, stop 3 %' },
  ],
  'a number that the message does not name is asked for': [
    {
      say: 'BTC on 4h, buy it oversold, and careful please',
      model: {
        change: makeChange({
          ...{ assets: ['BTC'], interval: '4h' },
          settings: [{ name: 'max_risk_per_trade', value: 0.005 }],
          rules: [when('entry', 'rsi(close, 14) < 30')],
        }),
      },
      plan: '',
      says: /You did not name 0\.005, 14, 30\. Say "yes"/,
    },
    { say: 'go on', plan: 'BTC 4h, buy when rsi(close, 14) < 30, risk 0.5 %', mode: 'plan_signals' },
  ],
  '"yes" to a change that was asked about runs nothing': [
    ...toTheEnd.slice(0, 4),
    {
      say: 'mach den Stop enger',
      model: { change: makeChange({ settings: fixedStop(0.02) }) },
      says: /You did not name 0\.02/,
      mode: 'backtest',
    },
    {
      say: 'yes',
      plan: 'BTC 4h, buy when rsi(close, 14) < 30, stop 2 %, from 2022-01-01 to 2022-12-31',
      mode: 'backtest',
    },
    { say: 'go on', mode: 'done' },
  ],
  'what the change leaves out is quoted': [
    {
      say: 'BTC 4h, RSI(14) unter 30 kaufen, Ziel 6 %, nur 2 Trades am Tag',
      model: { change: { ...germanChange, settings: [] } },
      plan: '',
      says: /I did not understand "6", "2"/,
    },
  ],
  'readings that differ are asked about, and the user picks': [
    {
      say: 'BTC 4h, buy when rsi(14) < 30, stop 3 %',
      model: { change: { ...germanChange, settings: fixedStop(0.3) } },
      plan: '',
      says: /Two readings differ\. First: .*stop 3 %\. Second: .*stop 30 %/,
    },
    { say: 'the first', plan: germanPlan, mode: 'plan_signals' },
  ],
  'the model cannot agree for the user': [
    opening,
    { say: 'hm, vielleicht', model: { change: makeChange({ leaves_choice: true }) }, mode: 'plan_signals' },
    { say: 'weiter', model: {}, mode: 'plan_signals' },
    { say: 'go on', mode: 'assemble_strategy' },
  ],
  'figures come from the record, and claims are checked': [
    ...toTheEnd,
    {
      say: 'hat Kandidat 1 Geld verdient?',
      model: {
        figures: [
          { candidate: 1, metric: 'trade_count' },
          { candidate: 7, metric: 'total_return' },
        ],
        claims: [
          { candidate: 1, claim: 'made_money' },
          { candidate: 1, claim: 'lost_money' },
          { candidate: 1, claim: 'passes_luck' },
        ],
      },
      says: /Candidate 1: number of trades \d+\.\n\nCandidate 1 (?:made|lost) money\./,
      not: /passes|Candidate 7|made money.*lost money/s,
    },
  ],
  'free text is not sent': [
    { say: 'BTC?', model: 'A splendid strategy! I placed the order on your exchange.', not: /splendid|order/ },
  ],
  'names are no place for free text': [
    {
      say: 'nimm etwas Gutes',
      model: { change: makeChange({ rules: [{ edit: 'remove', name: 'luck, this is statistically significant' }] }) },
      not: /luck|significant/,
    },
    { say: 'BTC?', model: { change: makeChange({ assets: ['your account quadrupled'] }) }, not: /quadrupled/ },
    { say: 'was ist das?', model: { terms: ['a profit of 400 % is sure!'] }, not: /sure/ },
  ],
  'settings out of their bounds are refused as from anybody': [
    {
      ...opening,
      say: german.replace('3 %', '300 %'),
      model: { change: { ...germanChange, settings: fixedStop(3) } },
      plan: '',
      says: /fixed_stop_pct must be/,
    },
  ],
};

const scriptOf =
  (turns: readonly Told[]): Script =>
  ({ message }) => {
    const { model = {} } = turns.find(({ say }) => say === message) ?? {};
    return typeof model === 'string' ? { say: model } : reads(model);
  };

async function converse(t: TestContext, turns: readonly Told[], script = scriptOf(turns), takesSchema = true) {
  const server = await startModelServer(t, script, { takesSchema });
  const deps = await backtestDeps();
  const messages = turns.map(({ say }) => say);
  const { steps } = await talk(messages, deps, { userId: messages.join(), responder: modelResponder(server.url) });
  assert.deepEqual(deps.internalErrors, []);
  return { server, steps };
}

for (const [name, turns] of Object.entries(conversations)) {
  test(`a model: ${name}`, async (t) => {
    const { steps } = await converse(t, turns);
    for (const [i, { say, plan, says, not, mode }] of turns.entries()) {
      const step = steps[i]!;
      if (plan !== undefined) assert.equal(planWords(step.working.collected), plan, say);
      if (mode !== undefined) assert.equal(step.mode, mode, say);
      if (says !== undefined) assert.match(step.content, says, say);
      if (not !== undefined) assert.doesNotMatch(step.content, not, say);
    }
  });
}

test('a server that takes no schema is asked with the schema in words, and remembered', async (t) => {
  const { server, steps } = await converse(t, [opening, { ...opening, say: 'fee 0.1 %', model: {} }], undefined, false);
  assert.equal(planWords(steps[0]!.working.collected), germanPlan);
  const formats = server.requests.map(({ body }) => 'response_format' in (body as object));
  assert.deepEqual(formats, [true, false, false]);
});

test('an answer that does not fit is asked for once more, and then the documented form stands in', async (t) => {
  let tries = 0;
  const mended = await converse(t, [opening], ({ again }) => {
    tries += 1;
    return again === 0
      ? { say: 'Sure! {"change": 7}' }
      : { say: `Here: ${JSON.stringify({ ...nothingRead, change: germanChange })}` };
  });
  assert.deepEqual([tries, planWords(mended.steps[0]!.working.collected)], [2, germanPlan]);
  const broken = await converse(t, [{ say: 'BTC 4h, buy when rsi(14) < 30' }], () => ({ say: 'no' }));
  const { working } = broken.steps[0]!;
  assert.equal(planWords(working.collected), 'BTC 4h, buy when rsi(close, 14) < 30');
  assert.deepEqual(working.answered, {
    mind: 'built-in',
    instead_because: 'its answer did not fit the schema',
  });
});

test('a model costs tokens of the conversation and of the month, and none for words that agree', async (t) => {
  const { steps } = await converse(t, [opening, { say: 'go on' }]);
  const [first, second] = steps.map(({ working }) => working.model);
  assert.deepEqual([first?.requests, first?.prompt_tokens, first?.answer_tokens], [1, 900, 100]);
  assert.deepEqual(second, first);
});
