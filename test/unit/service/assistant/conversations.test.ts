import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import type { Language } from '../../../../service/assistant/built-in/canonical.js';
import { roles, type StrategyConfig } from '../../../../service/assistant/candidate.js';
import type { Step, Working } from '../../../../service/assistant/index.js';
import { talk } from '../../../support/assistant.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { runs } from '../../../support/scale.js';
import { root } from '../../../support/tree.js';

/** What a trader expects of an answer; a turn may run only where it says so. */
interface Rules {
  readonly asset?: string;
  readonly timeframe?: string;
  readonly start?: string | null;
  readonly end?: string | null;
  readonly months?: number;
  readonly risk?: number;
  readonly reward?: number;
  readonly stop?: number;
  readonly account?: number;
  readonly fee?: number;
  readonly slippage?: number;
  readonly count?: number;
  /** Each is a part of the words of one rule. */
  readonly entry?: readonly string[];
  readonly exit?: readonly string[];
  readonly short_entry?: readonly string[];
  readonly short_exit?: readonly string[];
  readonly config?: Readonly<Record<string, unknown>>;
  readonly ran?: boolean;
  readonly mode?: string;
  readonly says?: readonly string[];
  readonly not?: readonly string[];
  /** Language of the answer. */
  readonly speaks?: Language;
}

/** Words that are frequent in one language and not in the others. */
const frequentWords: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:the|is|of|and|it|what|not|an|with|which)\b/gi,
  de: /\b(?:der|die|das|ist|ich|und|nicht|mit|oder|auf|zu|ein|eine|ein|von)\b/gi,
  es: /\b(?:el|los|las|es|y|no|con|que|una|del|por|para|de|lo)\b/gi,
  fr: /\b(?:le|les|est|et|ne|pas|avec|que|une|du|je|des|pour|ou)\b/gi,
};

/** Whether a text has at least as many frequent words of a language as of English. */
function speaks(text: string, language: Language): boolean {
  const count = (each: Language) => text.match(frequentWords[each])?.length ?? 0;
  return count(language) > 0 && count(language) >= count('en');
}

interface Conversation {
  readonly id: string;
  readonly turns: readonly (readonly [string, Rules])[];
}

const read = (name: string) =>
  JSON.parse(
    readFileSync(join(root, `test/unit/service/assistant/conversations/${name}.json`), 'utf8'),
  ) as Conversation[];

const wordsOf = ({ name, params }: StrategyConfig['entry'][number]): string =>
  name === 'formula'
    ? String(params.when)
    : [name, ...Object.entries(params).map(([key, value]) => `${key}=${String(value)}`)].join(' ');

/** Forms that mean the same are parted by `||`. */
const hasParts = (words: string, expected: string): boolean =>
  expected.split(' || ').some((form) => hasForm(words, form));

const hasForm = (words: string, expected: string): boolean =>
  /[()<>]/.test(expected)
    ? words.includes(expected)
    : expected.split(' ').every((part) => words.split(' ').includes(part));

/** What of the rules does not hold. */
function failures(rules: Rules, step: Step, before: Working | null): string[] {
  const { collected, tested } = step.working;
  const ran = JSON.stringify(tested) !== JSON.stringify(before?.tested ?? null);
  const config = ran ? tested?.candidates[0]?.config : undefined;
  const known: Readonly<Record<string, unknown>> = {
    asset: collected.asset,
    timeframe: collected.timeframe,
    start: collected.start_date,
    end: collected.end_date,
    months: collected.lookback_months,
    risk: collected.max_risk_per_trade,
    reward: collected.reward_factor,
    stop: collected.settings.fixed_stop_pct,
    account: collected.settings.initial_balance,
    fee: collected.settings.fee_pct,
    slippage: collected.settings.slippage_pct,
    count: collected.count,
    mode: step.mode,
    ran,
  };
  const failed: string[] = [];
  for (const [name, value] of Object.entries({ ran: false, ...rules })) {
    if (name in known && known[name] !== value) failed.push(`${name} is ${String(known[name])}, not ${String(value)}`);
  }
  for (const role of roles) {
    const own = ((config === undefined ? collected : config)[role] ?? []).map(wordsOf);
    for (const expected of rules[role] ?? []) {
      if (!own.some((words) => hasParts(words, expected))) failed.push(`${role} is ${own.join('; ')}, not ${expected}`);
    }
    if (rules[role] !== undefined && own.length !== rules[role].length)
      failed.push(`${role} is ${own.join('; ')}: too many or few`);
  }
  for (const [name, value] of Object.entries(rules.config ?? {})) {
    if (config?.execution_config[name] !== value)
      failed.push(`${name} ran as ${String(config?.execution_config[name])}`);
  }
  for (const pattern of rules.says ?? []) {
    if (!new RegExp(pattern, 'im').test(step.content)) failed.push(`does not say ${pattern}`);
  }
  if (rules.speaks !== undefined && !speaks(step.content, rules.speaks)) failed.push(`does not speak ${rules.speaks}`);
  for (const pattern of rules.not ?? []) {
    if (new RegExp(pattern, 'im').test(step.content)) failed.push(`says ${pattern}`);
  }
  return failed;
}

async function check(
  name: string,
  each = 1,
): Promise<{ readonly right: number; readonly all: number; readonly failed: string[] }> {
  const conversations = read(name).filter((_, i) => i % each === 0);
  const deps = await backtestDeps();
  const failed: string[] = [];
  let right = 0;
  for (const { id, turns } of conversations) {
    const { steps } = await talk(
      turns.map(([message]) => message),
      deps,
      { userId: id },
    );
    const own = turns.flatMap(([message, rules], i) =>
      failures(rules, steps[i] as Step, steps[i - 1]?.working ?? null).map(
        (text) =>
          `${id}: "${message.slice(0, 60)}" ${text}\n      ${steps[i]?.content.replaceAll('\n', ' / ').slice(0, 300)}`,
      ),
    );
    if (own.length === 0) right += 1;
    failed.push(...own);
  }
  assert.deepEqual(deps.internalErrors, []);
  return { right, all: conversations.length, failed };
}

test('conversations with rules of what a trader expects are wholly right', async () => {
  const { right, all, failed } = await check('seen');
  assert.equal(right, all, failed.join('\n'));
});

/** Looked at once, when the grammar was done: 9 of 10 were the aim. */
const HELD_OUT_RIGHT_MIN = 27;

test('conversations that were set aside are mostly wholly right', async () => {
  const { right, all, failed } = await check('held-out');
  assert.equal(all, 30);
  assert.ok(right >= HELD_OUT_RIGHT_MIN, `${right} of ${all}\n${failed.join('\n')}`);
});

/**
 * Written apart from the code and looked at once: 8 of 30 were wholly right, 17 but for the language
 * of the answers. Mended since, so they are seen.
 */
test('a second set of conversations, in four languages, is wholly right', async () => {
  const each = 30 / runs(10, 30, 30);
  const { right, all, failed } = await check('second-held-out', each);
  assert.equal(all, 30 / each);
  assert.equal(right, all, failed.join('\n'));
});

/** Written before the grammar was mended for it: 2 of 20 were wholly right then. */
test('a third set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('third-held-out');
  assert.equal(right, all, failed.join('\n'));
});

/** Looked at once, when the grammar was done for the third set: 9 of 20 were wholly right. Mended since. */
test('a fourth set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('fourth-held-out');
  assert.equal(right, all, failed.join('\n'));
});

/** Looked at once, when the grammar was done for the fourth set: 11 of 20 were wholly right. Mended since. */
test('a fifth set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('fifth-held-out');
  assert.equal(right, all, failed.join('\n'));
});

/** Written before the grammar was mended for it: 4 of 20 were wholly right then. */
test('a sixth set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('sixth');
  assert.equal(right, all, failed.join('\n'));
});

/**
 * Written with the sixth set and run for the first time when that one was wholly right: 9 of 20 were
 * wholly right then. The grammar has been mended since.
 */
test('a seventh set of conversations is wholly right', async () => {
  const { right, all, failed } = await check('seventh-held-out');
  assert.equal(right, all, failed.join('\n'));
});

/**
 * Written before anyone tried the code for shorts, leverage and moving stops on them: 5 of 10 were
 * wholly right at first. A property found the last one.
 */
test('conversations about both sides of the market are wholly right', async () => {
  const { right, all, failed } = await check('sides');
  assert.equal(right, all, failed.join('\n'));
});
