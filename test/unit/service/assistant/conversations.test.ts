import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { emptyPlan } from '../../../../service/assistant/plan/plan.js';
import { planWords } from '../../../../service/assistant/plan/say.js';
import { grammar } from '../../../../service/assistant/reading/grammar.js';
import { readMessage } from '../../../../service/assistant/reading/read.js';
import { talk } from '../../../support/assistant.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { goldenPath, root } from '../../../support/tree.js';

/** What the assistant knows after a message: the plan as it says it back, and what it did not understand. */
interface Known {
  readonly say: string;
  readonly mode: string;
  readonly plan: string;
  readonly unread?: readonly string[];
}

const path = goldenPath('conversations.json');
/** Set to write the records anew; read each difference before it is committed. */
const isWritten = process.env.BARLINE_CONVERSATIONS === 'write';
const written: Record<'form' | 'free', unknown[]> = { form: [], free: [] };
const golden = JSON.parse(readFileSync(path, 'utf8')) as Readonly<
  Record<'form' | 'free', readonly (readonly Known[])[]>
>;

for (const [kind, what] of [
  ['form', 'in the documented form are read as they stand'],
  ['free', 'in free words are read right or quoted as not understood'],
] as const) {
  test(`${golden[kind].length} conversations ${what}`, async () => {
    const deps = await backtestDeps();
    for (const [place, turns] of golden[kind].entries()) {
      const messages = turns.map(({ say }) => say);
      const { steps } = await talk(messages, deps, { userId: `${kind} ${place}` });
      const known = steps.map(({ mode, working: { collected } }, i) => ({
        ...{ say: messages[i], mode, plan: planWords(collected) },
        ...(collected.unread.length === 0 ? {} : { unread: collected.unread }),
      }));
      if (isWritten) written[kind].push(known);
      else assert.deepEqual(known, turns);
    }
    if (isWritten) writeFileSync(path, `${JSON.stringify({ ...golden, ...written }, null, 1)}\n`);
    assert.deepEqual(deps.internalErrors, []);
  });
}

const said = async (messages: readonly string[]) => {
  const { steps } = await talk(messages, await backtestDeps(), { userId: messages.join() });
  return steps;
};

test('what was not understood is quoted, and nothing goes on until it is dropped or said otherwise', async () => {
  const steps = await said([
    'BTC daily, buy when RSI(14) crosses above 40, stop 4 %, 2022 to 2024',
    'risk 2 % with the frobnicator at 17',
    'go on',
    'drop it',
    'go on',
  ]);
  assert.match(steps[1]?.content ?? '', /I did not understand "risk 2 % with the frobnicator at 17"/);
  assert.match(steps[2]?.content ?? '', /^I wait: "risk 2 % with the frobnicator at 17"/);
  assert.deepEqual(
    steps.map(({ mode }) => mode),
    ['plan_signals', 'plan_signals', 'plan_signals', 'plan_signals', 'assemble_strategy'],
  );
});

test('a change after a run says the plan back and waits, and a run is compared with the one before', async () => {
  const steps = await said([
    'BTC daily, buy when ema(12) crosses above ema(50), from 2022 to 2023',
    ...['go on', 'go on', 'go on', 'fee 0.1 %', 'go on', 'why did it lose?', 'slippage 0 %, run it'],
  ]);
  const runs = steps.map(({ working: { tested } }) => tested?.candidates[0]?.figures.backtest_id);
  assert.deepEqual(runs.slice(0, 3), [undefined, undefined, undefined]);
  assert.ok(runs[3] !== undefined && runs[4] === runs[3], 'a change alone runs nothing');
  assert.match(steps[4]!.content, /Nothing has run yet with this\. Say "run it"/);
  assert.notEqual(runs[5], runs[3]);
  assert.match(steps[5]!.content, /Compared with before:/);
  assert.equal(runs[6], runs[5]);
  assert.match(steps[6]!.content, /^Candidate 1 (?:lost|made) [\d,.]+ /);
  assert.notEqual(runs[7], runs[5], 'a message that says so runs at once');
});

test('a window that the bars do not have is refused with the reason, and can be corrected', async () => {
  const steps = await said([
    'BTC daily, buy when rsi(14) < 30, from 2005 to 2006',
    ...['go on', 'go on', 'go on', 'from 2022 to 2023, go on'],
  ]);
  assert.match(steps[3]!.content, /The backtests could not run: .*2005/);
  assert.deepEqual([steps[3]!.mode, steps[4]!.mode], ['backtest', 'done']);
});

test('the documentation shows the grammar', () => {
  const page = readFileSync(join(root, 'docs/assistant.md'), 'utf8');
  assert.ok(page.includes(`\`\`\`${grammar.trimEnd()}\n\`\`\``));
});

/** The longest message that the service takes. */
const LENGTH = 20_000;

const world = { held: ['BTC'], names: new Map([['BTC', ['bitcoin']]]) };
const rows = ['777,', 'a_', 'rsi ', 'from 2020 ', '(', 'buy when rsi < 30 and '];

test('the longest messages are read, and what stands behind the first part is named', () => {
  for (const row of rows) {
    for (const text of [row.repeat(LENGTH / row.length), `rsi${row.repeat(LENGTH / row.length)}x`]) {
      const { unread, change } = readMessage(text.slice(0, LENGTH), emptyPlan, world);
      assert.match(unread.at(-1)?.reason ?? '', /a message is read to its first 4000 characters/, row);
      assert.deepEqual(change.settings, [], row);
    }
  }
});
