import type { Tested } from '../mind.js';
import type { Passage } from '../retrieval.js';
import { ruleWords } from './propose.js';
import { candidateWords, nextSteps, percent, resultLines } from './words.js';

const topics: readonly (readonly [RegExp, (tested: Tested) => string])[] = [
  [/\b(luck|believe|trust|overfit\w*|significan\w*|real|reliable|fluke|chance)\b/i, ({ verdict }) => verdict],
  [/\b(buy(?:ing)?[- ]and[- ]hold\w*|hold(?:ing)?|market|benchmark)\b/i, marketWords],
  [/\b(next|improve|better|try|change|tune|optimi[sz]e)\b/i, (tested) => nextSteps(tested).join(' ')],
  [/\b(rules?|signals?|what (?:is|are) (?:it|the)|entry|exit|strategy|parameters?)\b/i, rulesWords],
  [
    /\b(trades?|drawdown|return|profit|sharpe|win(?:s|ning)?|figures?|results?|numbers?|risk|loss(?:es)?|how (?:good|much|many|did))\b/i,
    bestWords,
  ],
  [/\b(all|others?|candidates?|compare|list)\b/i, resultLines],
  [/\b(save|keep|store|deploy|live)\b/i, () => saveWords],
];

const saveWords =
  'Save a candidate with POST /ai-copilot/save_strategy and its strategy_config: it becomes a strategy with status draft.';

/**
 * Answers a question about what was tested, with figures of those runs only, else with the passage
 * of the documentation that is nearest to the question.
 */
export function followUp(message: string, tested: Tested | null, passages: readonly Passage[]): string {
  const asksMeaning = /\b(what (?:is|are|does)|explain|meaning|define|definition|how does)\b/i.test(message);
  const passage = passages[0];
  if (tested !== null) {
    const found = topics.filter(([pattern]) => pattern.test(message)).map(([, answer]) => answer(tested));
    const isAboutRuns = /\b(my|this|these|that|it|its|best|candidates?|result|we|our)\b/i.test(message);
    if (found.length > 0 && !(asksMeaning && passage !== undefined && !isAboutRuns))
      return found.slice(0, 2).join('\n\n');
  }
  if (passage !== undefined) return `${passage.text}\n\n(From ${passage.source}, "${passage.title}".)`;
  return 'I can tell you about the figures, the rules, the trades, luck and the market, and what to try next; or ask what a term of the documentation means.';
}

function leaderOf({ best, candidates }: Tested) {
  return best === null ? null : (candidates[best] ?? null);
}

function bestWords(tested: Tested): string {
  const leader = leaderOf(tested);
  if (leader === null) return 'No candidate traded in this window.';
  const { total_return, sharpe_ratio, max_drawdown, win_rate, trade_count } = leader.figures;
  const wins = win_rate === null ? '' : ` ${percent(win_rate, 0)} of them won.`;
  const sharpe = sharpe_ratio === null ? 'no Sharpe ratio' : `a Sharpe ratio of ${sharpe_ratio.toFixed(2)}`;
  return `Candidate ${(tested.best ?? 0) + 1} returned ${percent(total_return)} with ${sharpe} and a largest drawdown of ${percent(max_drawdown)}, in ${trade_count} trades.${wins}`;
}

function marketWords(tested: Tested): string {
  const leader = leaderOf(tested);
  const own = leader === null ? '' : ` The best candidate returned ${percent(leader.figures.total_return)}.`;
  return `Holding the asset over the same window returned ${percent(tested.market_return)}, before costs.${own}`;
}

function rulesWords(tested: Tested): string {
  const leader = leaderOf(tested);
  if (leader === null) return resultLines(tested);
  const { entry, exit } = leader.config;
  return `Candidate ${(tested.best ?? 0) + 1}: ${candidateWords(leader.config)}. Rules: ${[...entry, ...exit].map(ruleWords).join('; ')}.`;
}
