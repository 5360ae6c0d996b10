import type { Belief, Tested } from '../mind.js';
import type { Language } from './canonical.js';
import { type Say, sayIn } from './sentences/say.js';
import { ratio, roundPercent } from './words.js';

/**
 * What the runs are worth, in one language: in English the words of the judgement itself, as a
 * sweep has them; in the others the same facts in the sentences of their table. The words of a
 * conversation that an older version stored are English.
 */
export function verdictIn(language: Language, { verdict, belief }: Tested): string {
  if (language === 'en' || belief === undefined) return verdict;
  const say = sayIn(language);
  if (belief === null) return say('noneTraded');
  return [moneyWords(belief, say), exhaustedWords(belief, say), ...leaderWords(belief, say)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** The sentence that says among which tries the leader has the highest Sharpe ratio. */
export function leaderIn(language: Language, { verdict, belief, best }: Tested): string {
  const say = sayIn(language);
  if (language !== 'en' && belief !== undefined && belief !== null) return highest(belief, say);
  return verdict.split(/(?<=\.) /).find((each) => each.includes('Sharpe')) ?? say('leads', { place: (best ?? 0) + 1 });
}

/** Above it luck alone is said beside another reason, as the verdict of a sweep says it. */
const BELIEF_P_MAX = 0.05;

function moneyWords({ profitable, tries, best_return, leader_return }: Belief, say: Say): string {
  const best = roundPercent(best_return);
  if (profitable === 0) return tries === 1 ? say('onlyLost', { best }) : say('noneMadeMoney', { count: tries, best });
  if (leader_return > 0) return '';
  return say('leaderLoses', { loss: roundPercent(-leader_return), profitable, count: tries });
}

const exhaustedWords = ({ exhausted_on: day }: Belief, say: Say): string =>
  day === null ? '' : say('wasExhausted', { day });

function leaderWords(belief: Belief, say: Say): string[] {
  const { tries, eligible, least, place, trades, luck_p } = belief;
  const few = eligible > 0 ? [] : [say('tooFewTrades', { least, place, trades })];
  if (luck_p === null) return [...few, tries === 1 ? say('onlyTooFewDays') : say('tooFewDays', { count: tries })];
  const asItStands =
    belief.fails !== null && belief.fails !== 'luck' && luck_p > BELIEF_P_MAX
      ? [say('asItStands', { often: often(luck_p, say) })]
      : [];
  return [...few, highest(belief, say), worth(belief, say), ...asItStands];
}

function highest({ tries: count, eligible, least, place, sharpe, timeframe }: Belief, say: Say): string {
  const value = { place, sharpe: ratio(sharpe, say), timeframe };
  if (count === 1) return say('onlyTraded', value);
  const isPart = eligible > 0 && eligible < count;
  const tries = isPart ? say('triesEligible', { eligible, least, count }) : say('triesAll', { count });
  return say('highest', { ...value, tries });
}

function worth({ fails, luck_p, market_p, timing_p, asset }: Belief, say: Say): string {
  switch (fails) {
    case 'luck':
      return say('byLuck', { often: often(luck_p, say) });
    case 'market':
      return say('byMarket', { often: often(market_p, say), asset });
    case 'timing':
      return say('byTiming', { often: often(timing_p, say) });
    default:
      return say('passes', { often: often(luck_p, say) });
  }
}

/** A probability as a frequency, such as `1 of 3`, as the verdict of a sweep rounds it. */
function often(probability: number | null, say: Say): string {
  if (probability === null) return say('unknownShare');
  if (probability > 0.95) return say('nearlyAll');
  if (probability > 2 / 3) return say('oneIn', { one: Math.round(probability * 10), many: 10 });
  return say('oneIn', { one: 1, many: probability > 0.4 ? 2 : Math.round(1 / probability) });
}
