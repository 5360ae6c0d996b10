import type { Collected, Tested } from '../mind.js';
import { percent, ratio, understanding } from './words.js';

/** The leader of a run beside that of the run before, with what both were. */
export function compared(before: Tested, wasKnown: Collected, after: Tested, isKnown: Collected): string {
  return [
    'Compared with before:',
    `- before (${understanding(wasKnown)}): ${leaderWords(before)}`,
    `- now (${understanding(isKnown)}): ${leaderWords(after)}`,
  ].join('\n');
}

function leaderWords({ best, candidates, market_return, window }: Tested): string {
  const days = `${window.start.slice(0, 10)} to ${window.end.slice(0, 10)}`;
  const leader = best === null ? undefined : candidates[best];
  const market = `holding returned ${percent(market_return)}`;
  if (leader === undefined) return `no candidate traded, ${days}; ${market}`;
  const { total_return, sharpe_ratio, max_drawdown, trade_count } = leader.figures;
  return `candidate ${(best ?? 0) + 1} returned ${percent(total_return)}, Sharpe ratio ${ratio(sharpe_ratio)}, largest drawdown ${percent(max_drawdown)}, ${trade_count} trades, ${days}; ${market}`;
}
