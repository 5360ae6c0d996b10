import { z } from 'zod';
import type { ConversationMode } from '../../../data/state/index.js';
import { apiTimeframes, requireSignal, type SignalType } from '../../../engine/index.js';
import { clip } from '../../../engine/text.js';
import { ApiError } from '../../api-error.js';
import { assemble, CANDIDATES_MAX, stampOf } from '../built-in/assemble.js';
import { styles, usual } from '../built-in/propose.js';
import { testCandidates } from '../built-in/test-candidates.js';
import { candidateWords, resultLines } from '../built-in/words.js';
import type { StrategyConfig } from '../candidate.js';
import type { Collected, ProposedRule } from '../mind.js';
import { problemsOf } from './check-answer.js';
import {
  configOf,
  definitionForm,
  placeOf,
  REWARD_MAX,
  type RuleForm,
  readRule,
  ruleForm,
  TRADE_RISK_MAX,
} from './definition.js';
import { countRuns, type ModelTool, modelTool, windowForm } from './model-tools.js';
import type { Session } from './session.js';

const PROPOSED_MAX = 4;
const REASON_LENGTH_MAX = 400;
const INTENTION_LENGTH_MAX = 500;

const requirements = z.strictObject({
  asset: z.string().max(32).optional(),
  timeframe: z.enum(apiTimeframes).optional(),
  style: z.enum(styles).optional(),
  ...windowForm,
  max_risk_per_trade: z
    .number()
    .positive()
    .max(TRADE_RISK_MAX)
    .optional()
    .describe('share of the account that a trade may lose: 0.01 is 1 %'),
  reward_factor: z.number().positive().max(REWARD_MAX).optional().describe('target as a multiple of the risk'),
  user_sentiment: z.enum(['bullish', 'bearish', 'neutral']).optional(),
  user_knowledge_level: z.enum(['beginner', 'intermediate', 'expert']).optional(),
  leaves_choice: z.boolean().optional().describe('whether the person leaves the open points to you'),
  is_complete: z.boolean().optional().describe('whether asset and timeframe are known or left to you'),
});

/** Facts of the messages; the first message is the intention. Moves on once nothing is missing. */
const noteRequirements = modelTool({
  name: 'note_requirements',
  description: 'Notes what the person wants, and moves the conversation on when it is complete.',
  args: requirements,
  async run({ is_complete: isComplete, start_date, end_date, lookback_months, ...facts }, session) {
    const { assets, tools, turn, working } = session;
    if (facts.asset !== undefined && !assets.includes(facts.asset)) {
      throw new ApiError('VALIDATION_ERROR', `asset must be one of ${assets.join(', ')}, was ${facts.asset}`);
    }
    const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
    const before = working.collected;
    const saysDates = start_date !== undefined || lookback_months !== undefined;
    const dates = saysDates
      ? { start_date: start_date ?? null, end_date: end_date ?? null, lookback_months: lookback_months ?? null }
      : {};
    let collected: Collected = {
      ...before,
      user_intention: before.user_intention ?? (clip(turn.message.trim(), INTENTION_LENGTH_MAX) || null),
      ...known,
      ...dates,
    };
    const isFirst = turn.mode === 'collect_user_input';
    if (isFirst && isComplete === true) {
      const place = placeOf({}, { ...working, collected });
      const noBars = await tools.whyNoBars(place.asset, place.timeframe);
      if (noBars !== null) throw new ApiError('VALIDATION_ERROR', noBars);
      collected = { ...collected, ...place, style: collected.style ?? usual.style };
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
    const place = placeOf({}, working);
    const columns = await tools.columnsBeside(place.asset, place.timeframe);
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
    session.working = { ...working, proposal };
    session.evidence.addProposal(proposal);
    if (session.turn.mode === 'plan_signals') session.mode = 'assemble_strategy';
    return { proposal, state: session.mode };
  },
});

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
    const { working, tools } = session;
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
