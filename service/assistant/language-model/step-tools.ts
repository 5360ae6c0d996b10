import { z } from 'zod';
import type { ConversationMode } from '../../../data/state/index.js';
import { requireSignal, type SignalType } from '../../../engine/index.js';
import { clip } from '../../../engine/text.js';
import { ApiError } from '../../api-error.js';
import { assemble, CANDIDATES_MAX, stampOf } from '../built-in/assemble.js';
import { isWish, merged } from '../built-in/change.js';
import { columnsOf, noBarsOf } from '../built-in/held-bars.js';
import { isExcluded, isNamed, namedProposal, usual } from '../built-in/propose.js';
import { testCandidates } from '../built-in/test-candidates.js';
import { candidateWords, resultLines, understanding } from '../built-in/words.js';
import type { StrategyConfig } from '../candidate.js';
import type { Collected, Proposal, ProposedRule } from '../mind.js';
import { changeForm, changeOf } from './change-form.js';
import { problemsOf } from './check-answer.js';
import { configOf, definitionForm, placeOf, type RuleForm, readRule, ruleForm } from './definition.js';
import { countRuns, type ModelTool, modelTool } from './model-tools.js';
import type { Session } from './session.js';

const PROPOSED_MAX = 4;
const REASON_LENGTH_MAX = 400;
const INTENTION_LENGTH_MAX = 500;

const requirements = z.strictObject({
  ...changeForm,
  user_sentiment: z.enum(['bullish', 'bearish', 'neutral']).optional(),
  user_knowledge_level: z.enum(['beginner', 'intermediate', 'expert']).optional(),
  is_complete: z.boolean().optional().describe('whether asset and timeframe are known or left to you'),
});

/**
 * Facts of the messages, as the same change that the grammar reads: with its checks, and below what
 * it read itself. The first message is the intention. Moves on once nothing is missing.
 */
const noteRequirements = modelTool({
  name: 'note_requirements',
  description: 'Notes what the person wants, and moves the conversation on when it is complete.',
  args: requirements,
  async run({ is_complete: isComplete, user_sentiment, user_knowledge_level, ...form }, session) {
    const { tools, turn, working, said } = session;
    const before = working.collected;
    const change = await changeOf(form, session);
    const noted = merged(before, change);
    let collected: Collected = {
      ...(isWish(said) ? merged(noted, said.change) : noted),
      user_intention: before.user_intention ?? (clip(turn.message.trim(), INTENTION_LENGTH_MAX) || null),
      user_sentiment: user_sentiment ?? before.user_sentiment,
      user_knowledge_level: user_knowledge_level ?? before.user_knowledge_level,
    };
    const isFirst = turn.mode === 'collect_user_input';
    if (isFirst && isComplete === true) {
      const place = placeOf({}, { ...working, collected });
      const noBars = await noBarsOf({ ...collected, ...place }, tools);
      if (noBars !== null) throw new ApiError('VALIDATION_ERROR', noBars.reason);
      const style = collected.style ?? (isNamed(collected) ? null : usual.style);
      collected = { ...collected, ...place, style };
      session.mode = 'plan_signals';
    }
    session.working = { ...working, collected };
    session.evidence.addValue(collected);
    return { noted: collected, state: session.mode };
  },
});

const proposedForm = ruleForm.extend({ reason: z.string().max(REASON_LENGTH_MAX).describe('why it fits') });

/** Signals from which candidates are made. */
const proposeSignals = modelTool({
  name: 'propose_signals',
  description: 'Notes the triggers and filters that you propose, and moves the conversation on.',
  args: z.strictObject({
    triggers: z.array(proposedForm).min(1).max(PROPOSED_MAX),
    filters: z.array(proposedForm).min(1).max(PROPOSED_MAX),
  }),
  async run({ triggers, filters }, session) {
    const { working, tools } = session;
    const { collected } = working;
    const place = placeOf({}, working);
    if (isNamed(collected)) return proposed(session, namedProposal(collected));
    const unwanted = [...triggers, ...filters].find(({ name }) => isExcluded(name, collected.excluded));
    if (unwanted !== undefined) throw new ApiError('VALIDATION_ERROR', `the person does not want ${unwanted.name}`);
    const columns = await columnsOf({ ...collected, ...place }, tools);
    const read = (rules: readonly (RuleForm & { readonly reason: string })[], type: SignalType): ProposedRule[] =>
      rules.map((rule) => {
        const { reason, ...form } = rule;
        const planned = readRule(form, type, { ...place, columns, isEntry: true });
        return { ...planned, reason: saidReason(reason, planned.name, session) };
      });
    const proposal = { triggers: read(triggers, 'TRIGGER'), filters: read(filters, 'FILTER') };
    for (const trigger of proposal.triggers) {
      for (const filter of proposal.filters) tools.check(assembleOne(session, trigger, filter));
    }
    return proposed(session, proposal);
  },
});

function proposed(session: Session, proposal: Proposal) {
  session.working = { ...session.working, proposal };
  session.evidence.addProposal(proposal);
  if (session.turn.mode === 'plan_signals') session.mode = 'assemble_strategy';
  return { proposal, state: session.mode };
}

/** The reason of the model, or that of the registry where no tool returned what it says. */
function saidReason(reason: string, name: string, { evidence }: Session): string {
  return problemsOf(reason, evidence).length === 0 ? reason : requireSignal(name).description;
}

/** The only definition of one trigger and one filter, for a check of their parameters. */
function assembleOne({ working, clock }: Session, trigger: ProposedRule, filter: ProposedRule): StrategyConfig {
  const [config] = assemble(working.collected, { triggers: [trigger], filters: [filter] }, stampOf(clock()));
  return config as StrategyConfig;
}

/** Candidates of the proposal. */
const makeCandidates = modelTool({
  name: 'make_candidates',
  description: `Makes up to ${CANDIDATES_MAX} candidates, and moves the conversation on. Without any, every trigger of the proposal meets every filter.`,
  args: z.strictObject({ candidates: z.array(definitionForm).max(CANDIDATES_MAX).optional() }),
  async run({ candidates: forms = [] }, session) {
    const { working, clock } = session;
    const { proposal, collected } = working;
    const candidates: StrategyConfig[] = [];
    if (forms.length > 0 && isNamed(collected))
      throw new ApiError('VALIDATION_ERROR', 'the person named the rules: make candidates without giving any');
    const most = collected.count ?? CANDIDATES_MAX;
    if (forms.length > most) throw new ApiError('VALIDATION_ERROR', `the person wants ${most} candidates at most`);
    for (const form of forms) {
      candidates.push(
        await configOf({ ...form, asset: undefined, timeframe: undefined }, session, candidates.length + 1),
      );
    }
    if (candidates.length === 0 && proposal !== null)
      candidates.push(...assemble(collected, proposal, stampOf(clock())));
    if (candidates.length === 0) throw new ApiError('VALIDATION_ERROR', 'there is no proposal yet: give candidates');
    session.working = { ...working, candidates };
    session.evidence.addCandidates(candidates);
    if (session.turn.mode === 'assemble_strategy') session.mode = 'backtest';
    return { candidates: candidates.map((config, i) => `${i + 1}. ${candidateWords(config)}`), state: session.mode };
  },
});

/** Runs the candidates of the conversation, once a turn. */
const runCandidates = modelTool({
  name: 'test_candidates',
  description: 'Runs the candidates over the history, judges them together and moves the conversation on.',
  args: z.strictObject({}),
  async run(_, session) {
    const { working, tools, turn } = session;
    const isSaidBack =
      working.candidates === turn.working.candidates &&
      understanding(working.collected) ===
        understanding({ ...turn.working.collected, language: working.collected.language });
    if (!isSaidBack) {
      throw new ApiError(
        'VALIDATION_ERROR',
        'the candidates or settings have changed in this answer: say them back first, and run them when the person agrees',
      );
    }
    countRuns(session, working.candidates.length);
    const tested = await testCandidates(working, tools);
    const candidates = tested.candidates.map(({ config }) => config);
    session.working = { ...working, candidates, tested };
    session.evidence.addTested(tested, true);
    session.mode = 'done';
    const { best, verdict, luck_p, market_return, window } = tested;
    return {
      candidates: tested.candidates.map(({ config, figures }, i) => ({
        place: i + 1,
        rules: candidateWords(config),
        figures,
      })),
      best: best === null ? null : best + 1,
      ...{ verdict, luck_p, market_return, window, lines: resultLines(tested), state: session.mode },
    };
  },
});

/** Tools by state, beside the general ones. The last of each moves the conversation on. */
export const stepTools: Readonly<Record<ConversationMode, readonly ModelTool[]>> = {
  collect_user_input: [noteRequirements],
  plan_signals: [noteRequirements, proposeSignals],
  assemble_strategy: [noteRequirements, proposeSignals, makeCandidates],
  backtest: [noteRequirements, makeCandidates, runCandidates],
  done: [],
};
