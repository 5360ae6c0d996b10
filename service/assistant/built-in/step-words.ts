import type { ConversationMode } from '../../../data/state/index.js';
import type { Collected, Proposal, Tested, Working } from '../mind.js';
import { partLines } from './answers.js';
import { sayIn } from './sentences/say.js';
import { verdictIn } from './verdict-words.js';
import {
  assetWords,
  candidateWords,
  liquidationWords,
  nextSteps,
  proposalWords,
  resultLines,
  understanding,
} from './words.js';

type Words = (working: Working, note?: string) => string;

/** What is said when a conversation has reached a state. */
export const stepWords = {
  plan_signals: ({ collected }, note = '') => {
    const say = sayIn(collected.language);
    const risks = liquidationWords(collected, say).map((text) => ` ${text}`);
    return `${say('understand', { known: understanding(collected) })}${risks.join('')}${note} ${say('nextSignals')}`;
  },
  assemble_strategy: ({ collected, proposal }, note = '') => {
    const say = sayIn(collected.language);
    const list = proposalWords(proposal as Proposal, say);
    return `${say('propose', { known: understanding(collected) })}\n\n${list}${note}\n\n${say('nextAssemble')}`;
  },
  backtest: ({ collected, candidates }, note = '') => {
    const say = sayIn(collected.language);
    const list = candidates.map((config, i) => `${i + 1}. ${candidateWords(config, say)}`).join('\n');
    const risks = liquidationWords(collected, say).map((text) => `${text} `);
    return `${say('theseCandidates', { known: understanding(collected) })}\n\n${list}\n\n${risks.join('')}${note}${say('nextRun')}`;
  },
  done: ({ collected, tested }) => resultWords(tested as Tested, collected),
} as const satisfies Readonly<Record<Exclude<ConversationMode, 'collect_user_input'>, Words>>;

function resultWords(tested: Tested, collected: Collected): string {
  const { asset, portfolio, timeframe, language } = collected;
  const say = sayIn(language);
  const { candidates, window } = tested;
  const place = {
    asset: portfolio.length > 0 ? assetWords(portfolio, say) : (asset ?? ''),
    timeframe: timeframe ?? '',
    start: window.start.slice(0, 10),
    end: window.end.slice(0, 10),
  };
  return [
    candidates.length === 1 ? say('oneBacktest', place) : say('backtests', { count: candidates.length, ...place }),
    [resultLines(tested, say), ...partLines(tested, collected)].join('\n'),
    verdictIn(language, tested),
    say('whatNext', { steps: nextSteps(tested, say).join(' ') }),
  ].join('\n\n');
}
