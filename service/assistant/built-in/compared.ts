import type { Collected, Tested } from '../mind.js';
import { type Say, sayIn } from './sentences/say.js';
import { percent, ratio, tradesText, understanding } from './words.js';

/** The leader of a run beside that of the run before, with what both were. */
export function compared(before: NonNullable<Tested['before']>, after: Tested, isKnown: Collected): string {
  const say = sayIn(isKnown.language);
  const was = { ...before.collected, language: isKnown.language };
  return [
    say('compared'),
    say('before', { known: understanding(was), leader: leaderWords(before.tested, say) }),
    say('now', { known: understanding(isKnown), leader: leaderWords(after, say) }),
  ].join('\n');
}

/** Which of two runs returned more, with both; null where nothing ran before. */
export function betterWords(tested: Tested, collected: Collected): string | null {
  const { before } = tested;
  if (before === undefined) return null;
  const say = sayIn(collected.language);
  const [was, is] = [before.tested, tested].map(({ best, candidates }) => candidates[best ?? -1]?.figures.total_return);
  const more =
    was === undefined || is === undefined || was === is ? [] : [say(is > was ? 'returnedMore' : 'returnedLess')];
  return [...more, compared(before, tested, collected)].join('\n\n');
}

function leaderWords({ best, candidates, market_return, window }: Tested, say: Say): string {
  const days = say('days', { start: window.start.slice(0, 10), end: window.end.slice(0, 10) });
  const leader = best === null ? undefined : candidates[best];
  const market = say('holdingReturned', { market: percent(market_return) });
  if (leader === undefined) return say('noLeader', { days, market });
  const { total_return, sharpe_ratio, max_drawdown, trade_count } = leader.figures;
  return say('leader', {
    place: (best ?? 0) + 1,
    total: percent(total_return),
    sharpe: ratio(sharpe_ratio, say),
    drawdown: percent(max_drawdown),
    trades: tradesText(trade_count, say),
    ...{ days, market },
  });
}
