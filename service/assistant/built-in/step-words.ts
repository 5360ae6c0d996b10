import type { ConversationMode } from '../../../data/state/index.js';
import type { Proposal, Tested, Working } from '../mind.js';
import { candidateWords, nextSteps, proposalWords, resultLines, understanding } from './words.js';

type Words = (working: Working, note?: string) => string;

/** What is said when a conversation has reached a state. */
export const stepWords = {
  plan_signals: ({ collected }, note = '') =>
    `I understand: ${understanding(collected)}.${note} Next I propose signals; say "go on", or correct me.`,
  assemble_strategy: ({ collected, proposal }, note = '') =>
    `For ${understanding(collected)}, I propose:\n\n${proposalWords(proposal as Proposal)}${note}\n\nNext I put them together; say "go on", or name the signals that you prefer.`,
  backtest: ({ collected, candidates }, note = '') => {
    const list = candidates.map((config, i) => `${i + 1}. ${candidateWords(config)}`).join('\n');
    return `These are the candidates, on ${understanding(collected)}:\n\n${list}\n\n${note}Next I run them over the history; say "go on".`;
  },
  done: ({ collected: { asset, timeframe }, tested }) => resultWords(tested as Tested, asset, timeframe),
} as const satisfies Readonly<Record<Exclude<ConversationMode, 'collect_user_input'>, Words>>;

function resultWords(tested: Tested, asset: string | null, timeframe: string | null): string {
  const { candidates, window, verdict } = tested;
  return [
    `${candidates.length} ${candidates.length === 1 ? 'backtest' : 'backtests'} of ${asset} on ${timeframe} bars, ${window.start.slice(0, 10)} to ${window.end.slice(0, 10)}:`,
    resultLines(tested),
    verdict,
    `What to try next: ${nextSteps(tested).join(' ')}`,
  ].join('\n\n');
}
