import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { answerTo } from '../../service/assistant/built-in/answers.js';
import { settingsOf } from '../../service/assistant/built-in/assemble.js';
import type { Language } from '../../service/assistant/built-in/canonical.js';
import type { Topic } from '../../service/assistant/built-in/change.js';
import { sentences } from '../../service/assistant/built-in/sentences/say.js';
import { stepWords } from '../../service/assistant/built-in/step-words.js';
import { understanding } from '../../service/assistant/built-in/words.js';
import { type PlannedRule, roles } from '../../service/assistant/candidate.js';
import type { Step, Working } from '../../service/assistant/index.js';
import { freshWorking } from '../../service/assistant/index.js';
import { talk } from '../support/assistant.js';
import { backtestDeps } from '../support/backtest-deps.js';
import { runs } from '../support/scale.js';
import { type RandomRun, randomTested } from './random-results.js';

const openings = [
  'BTC daily trend since 2023',
  'ETH 1d: buy when RSI(14) crosses above 40, sell when it crosses below 60, 2023 to 2024',
  'Kaufe BTC im Tageschart, wenn der Schlusskurs das untere Bollinger-Band bricht, seit 2023',
  'ETH en velas diarias, EMA de 10 cruza por encima de la EMA de 30, desde 2023',
  'Tendance sur BTC en journalier depuis 2023',
  'short BTC',
  'BTC 1d: short when RSI(14) crosses below 60, cover when it crosses above 40, 2x leverage, since 2023',
  'ETH daily trend, both sides, trailing stop of 4 %, since 2023',
  'delete all my strategies',
];
const agreements = ['yes', 'go on', 'ja', 'sí', 'oui', 'run it', 'ok'];
const others = [
  ...['what?', 'no entiendo', 'what is a filter?', 'and what happens if I say go on?', 'no', 'stop', 'hm', 'maybe'],
  ...['risk 2 %', 'a stop of 4 %', 'use ETH', 'account of 50,000', 'without fees', 'only 2024', 'with 3x leverage'],
  ...[
    'trailing stop of 5 %',
    'no trailing stop',
    'no shorts',
    'both sides',
    '10x leverage',
    'target 5 %',
    'break even at 1R',
  ],
  ...['how did the shorts do?', 'was I liquidated?', 'ROI 6 %, 3 % after 10 bars', 'borrow rate 5 %'],
  ...['why did it lose money?', 'worst trade?', 'can you guarantee 10 % a month?', 'multiplier 4', 'no MACD please'],
  ...['split it over BTC and ETH', 'just BTC', 'which coin did best?', 'add SOL', 'no stop', 'half of that'],
  ...['start in 2024', 'only when ADX is above 20', 'drop that last condition', 'best trade?', 'exit after 5 days'],
  ...['daily', 'target 3 times the risk', 'fee 0.1 %', 'how many trades?', 'what was the drawdown?', 'is it luck?'],
];
const message = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...agreements) },
  { weight: 3, arbitrary: fc.constantFrom(...others) },
);
const conversation = fc.tuple(fc.constantFrom(...openings), fc.array(message, { minLength: 3, maxLength: 8 }));

/** What a step knows, in the language of the answer before it. */
const saidBefore = ({ working }: Step, before: Step): string =>
  understanding({ ...working.collected, language: before.working.collected.language });

const day = (time: string): string => time.slice(0, 10);

const valuesOf = (rules: readonly PlannedRule[]) => rules.map(({ name, params }) => ({ name, params }));

/** What the settings of a run are, against what was said back in this answer or the one before. */
function assertSaidBack({ working, content }: Step, before: Working): void {
  const { collected, tested } = working;
  assert.ok(tested !== null);
  assert.ok(content.includes(understanding(collected)), `${content} says back ${understanding(collected)}`);
  assert.deepEqual(tested.assets ?? [], collected.portfolio);
  for (const { config, figures } of tested.candidates) {
    assert.equal(config.asset, collected.asset);
    const rules = roles.flatMap((role) => config[role] ?? []);
    assert.ok(rules.every(({ timeframe }) => timeframe === collected.timeframe));
    if (collected.reward_factor !== null) assert.equal(config.reward_factor, collected.reward_factor);
    assert.deepEqual(config.execution_config, settingsOf(collected).execution_config);
    assert.equal(config.entry.length > 0, collected.sides !== 'short', collected.sides);
    assert.equal((config.short_entry ?? []).length > 0, collected.sides !== 'long', collected.sides);
    if (collected.start_date !== null) assert.ok(day(figures.start_date) >= collected.start_date);
    for (const role of ['entry', 'short_entry'] as const)
      if (collected[role].length > 0) assert.deepEqual(valuesOf(config[role] ?? []), valuesOf(collected[role]));
    for (const role of ['exit', 'short_exit'] as const)
      if (collected[role].length > 0) assert.deepEqual(valuesOf(config[role] ?? []), valuesOf(collected[role]));
    for (const { name } of rules) {
      assert.ok(!collected.excluded.some((key) => name.split('_').includes(key)), name);
    }
  }
  if (before.tested !== null) assert.ok(content.includes(sentences[collected.language].compared), content);
}

test('nothing runs unless the user agrees or changes what ran, and a run is what was said back', async () => {
  const deps = await backtestDeps();
  let place = 0;
  await fc.assert(
    fc.asyncProperty(conversation, async ([opening, rest]) => {
      const messages = [opening, ...rest];
      const { steps, tools } = await talk(messages, deps, { userId: `property ${place++}` });
      for (const [i, step] of steps.entries()) {
        const before = steps[i - 1];
        const said = messages[i] ?? '';
        const { run_backtest = 0, run_portfolio = 0 } = tools[i]?.calls ?? {};
        const calls = run_backtest + run_portfolio;
        if (calls === 0) {
          assert.deepEqual(step.working.tested, before?.working.tested ?? null);
          continue;
        }
        assert.ok(before !== undefined, 'no opening runs');
        const isChange = before.mode === 'done' && !agreements.includes(said);
        assert.ok(
          isChange || (before.mode === 'backtest' && agreements.includes(said)),
          `"${said}" ran in ${before.mode}`,
        );
        if (step.mode === 'done' && JSON.stringify(step.working.tested) !== JSON.stringify(before.working.tested))
          assertSaidBack(step, before.working);
        if (!isChange) assert.ok(before.content.includes(saidBefore(step, before)), 'it was said back before');
      }
    }),
    { numRuns: runs(4, 1_000) },
  );
  assert.deepEqual(deps.internalErrors, []);
});

const language = fc.constantFrom<Language>('en', 'de', 'es', 'fr');
const topic = fc.constantFrom<Topic>(
  ...(['why_no_trades', 'worst', 'streak', 'drawdown', 'costs', 'why_lost', 'hold', 'believe', 'won'] as const),
  ...(['trades', 'money', 'best', 'improve', 'lost', 'best_trade', 'win_loss', 'exposed', 'members'] as const),
);

/** Numbers of a text, without those of dates and places of a list. */
const numbersIn = (text: string): string[] =>
  text
    .replace(/\d{4}-\d{2}-\d{2}/g, '')
    .replace(/^\d+\. /gm, '')
    .replace(/\b1d\b/g, '')
    .match(/-?\d[\d,]*(?:\.\d+)?/g) ?? [];

test('every figure and day of an answer over random results belongs to a run of the conversation', () => {
  fc.assert(
    fc.property(randomTested, topic, language, ({ tested, allowed, days }: RandomRun, asked, spoken) => {
      const collected = { ...freshWorking.collected, asset: 'BTC', timeframe: '1d', language: spoken };
      const answers = [
        answerTo([asked], tested, collected, []),
        stepWords.done({ ...freshWorking, collected, tested }),
      ];
      for (const answer of answers) {
        for (const number of numbersIn(answer))
          assert.ok(allowed.has(number.replaceAll(',', '')), `${number} in ${answer}`);
        for (const date of answer.match(/\d{4}-\d{2}-\d{2}/g) ?? []) assert.ok(days.has(date), `${date} in ${answer}`);
        assert.doesNotMatch(answer.replace(/(?:ratio|factor of) undefined/g, ''), /NaN|undefined|null|Infinity/);
      }
    }),
    { numRuns: runs(150, 10_000) },
  );
});
