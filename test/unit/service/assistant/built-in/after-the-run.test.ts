import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import type { Step } from '../../../../../service/assistant/index.js';
import { talk } from '../../../../support/assistant.js';
import { backtestDeps } from '../../../../support/backtest-deps.js';
import { root } from '../../../../support/tree.js';

const RULES = 'Buy ETH daily when RSI(14) crosses above 40, sell when it crosses below 60, stop 4 %, 2022 to 2024';
const ranBefore = [RULES, 'yes', 'yes', 'run it'];
const DAY = String.raw`\d{4}-\d{2}-\d{2}`;

/** What a trader asks of a run, and what an answer from its record has. */
const questions: readonly (readonly [string, readonly RegExp[]])[] = [
  ['what was the worst trade?', [/made -[\d,.]+ \(-/, new RegExp(`in on ${DAY}, out on ${DAY} by the`)]],
  ['longest losing streak?', [new RegExp(`\\d+ in a row, from ${DAY} to ${DAY}: together -`)]],
  ['how big was the drawdown and when?', [new RegExp(`from the peak on ${DAY} to the low on ${DAY}`)]],
  ['why did it lose money?', [/Costs: fees/, /Market: holding/, /Entries: \d+ of \d+/, /Exits: the /]],
  ['where did the money go?', [/Costs: fees/]],
  ['is that good?', [/Candidate 1 (?:made|lost)/, /Sharpe ratio/, /Holding the asset returned/]],
  ['could it be luck?', [/Sharpe ratio/]],
  ['can you guarantee 10 % a month?', [/^No\. Nobody can guarantee/]],
  ['will I make money with it?', [/^No\. Nobody can guarantee/]],
  ['did we make money?', [/Candidate 1 (?:made|lost) [\d,.]+ \(/]],
  ['longest row of losers?', [new RegExp(`\\d+ in a row, from ${DAY}`)]],
  ['how many losses in a row?', [new RegExp(`\\d+ in a row, from ${DAY}`)]],
  ['where did the profit come from?', [/Costs: fees/, /Market: holding/, /Exits: the /]],
  ['what made the money?', [/Costs: fees/, /Exits: the /]],
  ['how many trades won?', [/\d+ of the \d+ trades/]],
  ['what did the fees cost?', [/in fees .* Without these costs/]],
  ['what about just holding?', [/Holding the asset over the same window/]],
];

test('questions after the run are answered from its record, and none of them runs', async () => {
  const deps = await backtestDeps();
  const { steps, tools } = await talk([...ranBefore, ...questions.map(([question]) => question)], deps);
  const ran = JSON.stringify(steps[ranBefore.length - 1]?.working.tested);
  for (const [place, [question, patterns]] of questions.entries()) {
    const step = steps[ranBefore.length + place] as Step;
    for (const pattern of patterns) assert.match(step.content, pattern, question);
    assert.equal(JSON.stringify(step.working.tested), ran, question);
    assert.equal(tools[ranBefore.length + place]?.calls.run_backtest ?? 0, 0, question);
  }
});

interface Correction {
  readonly says: string;
  /** What is known after it. */
  readonly known: (step: Step) => unknown;
  readonly is: unknown;
}

const corrections: readonly Correction[] = [
  { says: 'and now the same on BTC', known: ({ working }) => working.collected.asset, is: 'BTC' },
  {
    says: 'only 2023?',
    known: ({ working: { collected } }) => [collected.start_date, collected.end_date],
    is: ['2023-01-01', '2023-12-31'],
  },
  { says: 'risk 3 %', known: ({ working }) => working.collected.max_risk_per_trade, is: 0.03 },
  { says: 'a stop of 6 %', known: ({ working }) => working.collected.settings.fixed_stop_pct, is: 0.06 },
  { says: 'without fees', known: ({ working }) => working.collected.settings.fee_pct, is: 0 },
  { says: 'period 10', known: ({ working }) => working.collected.entry[0]?.params.window, is: 10 },
  { says: 'threshold 35', known: ({ working }) => working.collected.entry[0]?.params.threshold, is: 35 },
  {
    says: 'buy when MACD crosses up instead',
    known: ({ working }) => working.collected.entry[0]?.name,
    is: 'macd_bullish_cross',
  },
];

test('a correction acts in every state; after the run it runs again and compares with before', async () => {
  const deps = await backtestDeps();
  for (const { says, known, is } of corrections) {
    for (const before of [1, 2, 3, 4]) {
      const { last, steps, tools } = await talk([...ranBefore.slice(0, before), says], deps, {
        userId: `${says} ${before}`,
      });
      const where = `"${says}" in ${steps.at(-2)?.mode}`;
      assert.deepEqual(known(last), is, `${where}: ${last.content}`);
      const hasRun = before === ranBefore.length;
      assert.equal((tools.at(-1)?.calls.run_backtest ?? 0) > 0, hasRun, where);
      if (!hasRun) assert.equal(last.mode, steps.at(-2)?.mode, where);
      else assert.match(last.content, /^I ran it again: .*\n\nCompared with before:\n- before .*\n- now /, where);
      const { settings, max_risk_per_trade, asset } = last.working.collected;
      for (const config of last.working.candidates) {
        assert.equal(config.asset, asset, where);
        assert.deepEqual(
          config.execution_config,
          { ...settings, ...(max_risk_per_trade === null ? {} : { max_risk_per_trade }) },
          where,
        );
      }
    }
  }
  assert.deepEqual(deps.internalErrors, []);
});

test('a Supertrend takes another multiplier in entry and exit', async () => {
  const deps = await backtestDeps();
  const opening = 'BTC daily: buy when Supertrend flips up, sell when it flips down, since 2022';
  const { last } = await talk([opening, 'yes', 'yes', 'yes', 'multiplier 4'], deps);
  const { entry, exit } = last.working.tested?.candidates[0]?.config ?? {};
  assert.deepEqual([entry?.[0]?.params.multiplier, exit?.[0]?.params.multiplier], [4, 4]);
});

test('a message that wishes and asks does both, and one that only asks with a number changes nothing', async () => {
  const deps = await backtestDeps();
  const both = await talk([RULES, 'Risk 2 %. What is a filter?'], deps);
  assert.match(both.last.content, /^A filter is a state/);
  assert.match(both.last.content, /I understand: .*2 % of the account at risk/);
  const asks = await talk([RULES, 'why not a stop of 9 %?'], deps, { userId: 'asks' });
  assert.equal(asks.last.working.collected.settings.fixed_stop_pct, 0.04);
  assert.match(asks.last.content, /I took this as a question, and changed nothing/);
  const agrees = await talk([RULES, 'yes', 'yes', 'Yes. What is a filter?'], deps, { userId: 'agrees' });
  assert.equal(agrees.last.working.tested, null, 'an agreement with a question runs nothing');
});

test('the example of the guide is what the assistant answers', async () => {
  const guide = readFileSync(join(root, 'docs/assistant.md'), 'utf8');
  const messages = [...guide.matchAll(/^ {4}> (.*)$/gm)].map(([, message]) => message ?? '');
  assert.equal(messages.length, 2);
  const { steps } = await talk(messages, await backtestDeps());
  for (const [i, { content }] of steps.entries())
    assert.ok(guide.includes(`    > ${messages[i]}\n    ${content}\n`), content);
});
