import { isNamed, type Plan, runsAlike } from './plan/plan.js';
import { topicQuestions } from './reading/topics.js';
import type { ConversationMode } from './tables.js';
import type { ParsedMessage, Working } from './working.js';

/** What to say next, in words that the reader takes. */
export function ideas({ collected: plan, tested }: Working, mode: ConversationMode): string {
  const tries = ideasFor(plan)
    .map((idea) => `"${idea}"`)
    .join(', ');
  const isRun = tested?.plan !== undefined && runsAlike(plan, tested.plan);
  switch (mode) {
    case 'plan_signals':
      return `Say "go on" and I ${isNamed(plan) ? 'take these rules' : 'propose signals'}, or change it: ${tries}.`;
    case 'assemble_strategy':
      return `Say "go on" and I put them together, or change it: ${tries}.`;
    case 'backtest':
      return `Say "go on" and I run it, or change it: ${tries}.`;
    case 'done':
      return isRun
        ? `Ask ("why did it lose?", "best trade?", "is it luck?") or change it: ${tries}.`
        : `Nothing has run yet with this. Say "run it", or change it further: ${tries}.`;
    default:
      return '';
  }
}

/** Sentences that change a plan in ways that it has not been changed. */
function ideasFor({ settings, start_date, short_entry, entry }: Plan): string[] {
  return [
    ...('fixed_stop_pct' in settings || settings.stop_order === false ? [] : ['stop 3 %']),
    ...('fee_pct' in settings ? [] : ['fee 0.1 %']),
    ...(start_date === null ? ['from 2021 to 2023'] : ['only 2022']),
    ...(entry.length > 0 && short_entry.length === 0 ? ['only when adx(14) > 20'] : []),
    'on ETH 4h',
  ].slice(0, 3);
}

/** The questions that have an answer. */
export const questionList = (): string =>
  `You can ask: ${[...topicQuestions.values()].map((question) => `"${question}?"`).join(', ')}; or "what is …" of a word of the glossary.`;

/** What a message said that was not understood, in its own words. */
export function notUnderstoodWords(
  { unread, rest, isTurned }: Pick<ParsedMessage, 'unread' | 'rest' | 'isTurned'>,
  plan: Plan,
): string[] {
  const wishes = unread.filter(({ isQuestion }) => !isQuestion);
  const questions = unread.filter(({ isQuestion }) => isQuestion);
  const words = ({ quote, reason }: (typeof unread)[number]) => `"${quote}"${reason === null ? '' : ` (${reason})`}`;
  const isWaiting = plan.unread.length > 0;
  const ways = rest !== null ? ', or "drop it" and I take the rest of its sentence' : isWaiting ? ', or "drop it"' : '';
  return [
    ...(wishes.length === 0
      ? []
      : [
          `I did not understand ${wishes.map(words).join(' and ')}.${isTurned ? ' Nothing of the message acts.' : ''} Say it otherwise${ways}.`,
        ]),
    ...(questions.length === 0 ? [] : [`I have no answer to ${questions.map(words).join(' and ')}. ${questionList()}`]),
  ];
}
