import { signals } from '../../../engine/index.js';
import { checkNumbers } from './check-numbers.js';
import type { Evidence } from './evidence.js';
import { ID, NAME, plainSigns, withoutNames } from './read-numbers.js';

const ANSWER_CHARACTERS_MAX = 8_000;
/** Share of letters that may be of another script than Latin: a coin or a name. */
const OTHER_SCRIPTS_MAX = 0.1;

const words = (text: string): string[] => text.split(' ');

/** Names with an underscore that are not of signals. */
const ownNames: ReadonlySet<string> = new Set(
  [
    ...words('collect_user_input plan_signals assemble_strategy total_return sharpe_ratio max_drawdown win_rate'),
    ...words('trade_count start_date end_date lookback_months max_risk_per_trade reward_factor backtest_id luck_p'),
    ...words('market_return mean_reversion signal_type strategy_config save_strategy execution_config signal_name'),
    ...signals.flatMap(({ name, aliases, params, requires }) => [
      name,
      ...aliases,
      ...Object.keys(params),
      ...requires,
    ]),
  ].map((name) => name.toLowerCase()),
);

const LINK = /https?:|www\.|!\[|\]\(|<\w+[^>]*>/i;
const NAME_FORM = /^[a-z0-9]+(?:_[a-z0-9]+)+$/i;
const SIGNAL_WORDS = /\b(?:signals?|triggers?|filters?|indicators?)\b/i;
const QUOTED = /["\u201c`*]+([A-Za-z][\w -]{2,60}?)["\u201d`*]+/g;
const DENIES = /\b(?:no|not|cannot|unknown|isn't|doesn't|there is no|without)\b/i;

/**
 * What is wrong with an answer, as sentences for its author: names that the registry does not have,
 * figures that no run has, links, another language. Empty where nothing is.
 */
export function problemsOf(answer: string, evidence: Evidence): string[] {
  const text = plainSigns(answer);
  if (text.trim() === '') return ['The answer is empty.'];
  if (text.length > ANSWER_CHARACTERS_MAX) {
    return [`The answer has ${text.length} characters; at most ${ANSWER_CHARACTERS_MAX} are allowed.`];
  }
  const problems: string[] = [];
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters - latin > OTHER_SCRIPTS_MAX * letters) problems.push('Write the answer in English.');
  if (LINK.test(text)) problems.push('Leave out links, pictures and tags.');
  for (const id of new Set(text.match(ID) ?? [])) {
    if (!evidence.hasReturned(id)) problems.push(`No tool returned the id ${id}.`);
  }
  problems.push(...unknownNames(text, evidence).map((name) => `${name} is not a signal of the registry.`));
  return [...problems, ...checkNumbers(withoutNames(text), evidence)];
}

/** The user's invention may be named to say that it does not exist. */
function unknownNames(text: string, evidence: Evidence): string[] {
  const unknown = new Set<string>();
  for (const sentence of text.split(/(?<=[.!?;])\s|\n/)) {
    for (const name of [...(sentence.match(NAME) ?? []), ...quotedSignals(sentence)]) {
      const isKnown = ownNames.has(name.toLowerCase()) || (!NAME_FORM.test(name) && evidence.hasReturned(name));
      if (!isKnown && !(evidence.hasSaid(name) && DENIES.test(sentence))) unknown.add(name);
    }
  }
  return [...unknown];
}

/** What stands in quotes where a sentence speaks of signals. */
const quotedSignals = (sentence: string): string[] =>
  SIGNAL_WORDS.test(sentence) ? [...sentence.matchAll(QUOTED)].flatMap(([, name]) => name ?? []) : [];
