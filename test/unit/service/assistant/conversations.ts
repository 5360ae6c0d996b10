import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../../../service/assistant/built-in/canonical.js';
import { shortSideOf } from '../../../../service/assistant/built-in/sides.js';
import { roles, type StrategyConfig } from '../../../../service/assistant/candidate.js';
import type { Step, Working } from '../../../../service/assistant/index.js';
import { type HeldBars, talk } from '../../../support/assistant.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { root } from '../../../support/tree.js';

/** What a trader expects of an answer; a turn may run only where it says so. */
export interface Rules {
  readonly asset?: string;
  /** Assets that share one account. */
  readonly portfolio?: readonly string[];
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

/** Words of answers that are English and may stand in a short one alone. */
const SHORT_ENGLISH = /\b(?:bars|buy|say|tell me|nothing)\b/i;

/** Whether a text has at least as many frequent words of a language as of English. */
function speaks(text: string, language: Language): boolean {
  const count = (each: Language) => text.match(frequentWords[each])?.length ?? 0;
  if (language === 'en' && SHORT_ENGLISH.test(text)) return true;
  return count(language) > 0 && count(language) >= count('en');
}

export interface Conversation {
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
export function failures(rules: Rules, step: Step, before: Working | null): string[] {
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
  if (rules.portfolio !== undefined && collected.portfolio.join() !== rules.portfolio.join())
    failed.push(`the account is over ${collected.portfolio.join()}, not ${rules.portfolio.join()}`);
  // "Both sides" has the short rules that mirror the long ones.
  const mirrored = shortSideOf(collected);
  const understood =
    mirrored === null ? collected : { ...collected, short_entry: mirrored.entry, short_exit: mirrored.exit };
  for (const role of roles) {
    const own = ((config === undefined ? understood : config)[role] ?? []).map(wordsOf);
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

export async function check(
  name: string,
  { each = 1, held }: { readonly each?: number; readonly held?: HeldBars } = {},
): Promise<{ readonly right: number; readonly all: number; readonly failed: string[] }> {
  const conversations = read(name).filter((_, i) => i % each === 0);
  const deps = await backtestDeps(held === undefined ? {} : { market: held.market });
  const failed: string[] = [];
  let right = 0;
  for (const { id, turns } of conversations) {
    const { steps } = await talk(
      turns.map(([message]) => message),
      deps,
      { userId: id, ...(held === undefined ? {} : { held }) },
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
