import { z } from 'zod';
import { findSignal, type SignalType } from '../../../engine/index.js';
import { ApiError } from '../../api-error.js';
import { paramRecord } from '../../signals/index.js';
import { changeBounds } from '../built-in/check-change.js';
import { sayIn } from '../built-in/sentences/say.js';
import { judged, runAll, windowOf } from '../built-in/test-candidates.js';
import { candidateWords, resultLines, understanding } from '../built-in/words.js';
import type { StrategyConfig } from '../candidate.js';
import type { TestWindow } from '../tools.js';
import { configOf, type DefinitionForm, definitionForm, missingColumns, placeOf } from './definition.js';
import type { Session } from './session.js';

/** A tool as a model sees it. What `run` returns goes back to the model as JSON. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly args: z.ZodType;
  /** @throws ApiError whose message the model reads */
  run(args: unknown, session: Session): Promise<unknown>;
}

/** Ties the arguments of a tool to their form. */
export const modelTool = <T extends z.ZodType>(tool: {
  readonly name: string;
  readonly description: string;
  readonly args: T;
  run(args: z.infer<T>, session: Session): Promise<unknown>;
}): ModelTool => tool;

/** Backtests that a model may run in one turn. */
export const RUNS_MAX = 24;
const SWEEP_RUNS_MAX = 16;
const VALUES_MAX = 8;
const FOUND_MAX = 8;
const PASSAGES_MAX = 3;
const QUESTION_LENGTH_MAX = 500;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2024-01-31');

export const windowForm = {
  start_date: day.optional(),
  end_date: day.optional(),
  lookback_months: z
    .int()
    .min(1)
    .max(changeBounds.lookback_months.high)
    .optional()
    .describe('months back from the newest bar'),
};

type WindowForm = { readonly [K in keyof TestWindow]?: TestWindow[K] | undefined };

/** The dates of a call, else those of the conversation. */
function windowIn({ start_date, end_date, lookback_months }: WindowForm, { working }: Session): TestWindow {
  if (start_date === undefined && lookback_months === undefined) return windowOf(working.collected);
  return {
    ...(start_date === undefined ? {} : { start_date }),
    ...(end_date === undefined ? {} : { end_date }),
    ...(lookback_months === undefined ? {} : { lookback_months }),
  };
}

/** @throws ApiError where the person has not agreed to runs, or too many were made */
export function countRuns(session: Session, runs: number): void {
  const { turn, said } = session;
  if (!said.consents || (turn.mode !== 'backtest' && turn.mode !== 'done'))
    throw new ApiError(
      'VALIDATION_ERROR',
      'the person has not agreed to a run: nothing runs before the candidates were said back and the person agreed',
    );
  if (session.runs + runs > RUNS_MAX) {
    throw new ApiError('USAGE_LIMIT_EXCEEDED', `at most ${RUNS_MAX} backtests in one answer, ${session.runs} are made`);
  }
  session.runs += runs;
}

/** Notes what runs were, with all that they ran with, for the answer. */
function sayBack(session: Session, configs: readonly StrategyConfig[], timeframe: string, window: TestWindow): void {
  const { collected } = session.working;
  const { start_date = null, end_date = null, lookback_months = null } = window;
  for (const { asset, entry, exit, reward_factor } of configs) {
    const ran = { ...collected, asset, timeframe, entry, exit, reward_factor, start_date, end_date, lookback_months };
    session.ran.push(
      sayIn(collected.language)('ran', { known: understanding({ ...ran, portfolio: [], excluded: [], count: null }) }),
    );
  }
}

const searchSignals = modelTool({
  name: 'search_signals',
  description: 'Finds signals of the registry for a description in words, best first.',
  args: z.strictObject({
    description: z.string().min(1).max(QUESTION_LENGTH_MAX),
    type: z.enum(['TRIGGER', 'FILTER']),
    purpose: z.enum(['entry', 'exit']).optional(),
  }),
  async run({ description, type, purpose = 'entry' }, session) {
    const { asset, timeframe } = placeOf({}, session.working);
    const columns = await session.tools.columnsBeside(asset, timeframe);
    const matches = session.tools.findSignals(description, purpose, type as SignalType).slice(0, FOUND_MAX);
    return matches.flatMap(({ signal_name }) => {
      const signal = findSignal(signal_name);
      if (signal === undefined || signal.category === 'user') return [];
      const params = Object.entries(signal.params).map(([name, spec]) => [name, paramRecord(spec, [])]);
      const missing = missingColumns(signal, columns);
      return {
        ...{ name: signal.name, type: signal.type, bias: signal.bias, description: signal.description },
        params: Object.fromEntries(params),
        ...(missing.length === 0 ? {} : { cannot_run: `${asset} lacks ${missing.join(', ')}` }),
      };
    });
  },
});

const lookUp = modelTool({
  name: 'look_up',
  description: 'Finds passages of the documentation: terms, statistics, limits, how runs are made.',
  args: z.strictObject({ question: z.string().min(1).max(QUESTION_LENGTH_MAX) }),
  async run({ question }, { passages, tools }) {
    tools.count('look_up');
    return (await passages.find(question, PASSAGES_MAX)).map(({ source, title, text }) => ({ source, title, text }));
  },
});

const checkDefinition = modelTool({
  name: 'check_definition',
  description: 'Makes a definition of a trigger, a filter and perhaps an exit, and checks it. Nothing is stored.',
  args: definitionForm,
  run(form, session) {
    session.tools.count('check_definition');
    return configOf(form, session);
  },
});

const runBacktest = modelTool({
  name: 'run_backtest',
  description: 'Runs a definition over the history and stores the run. Fractions: 0.12 is 12 %.',
  args: z.strictObject({ definition: definitionForm, ...windowForm }),
  async run({ definition, ...window }, session) {
    const config = await configOf(definition, session);
    countRuns(session, 1);
    const { timeframe } = placeOf(definedPlace(definition), session.working);
    const { figures } = await session.tools.runBacktest(config, timeframe, windowIn(window, session));
    session.evidence.addRun(figures, config, null);
    sayBack(session, [config], timeframe, windowIn(window, session));
    return { definition: config, rules: candidateWords(config), figures };
  },
});

const definedPlace = ({ asset, timeframe }: DefinitionForm) => ({
  ...(asset === undefined ? {} : { asset }),
  ...(timeframe === undefined ? {} : { timeframe }),
});

const places = ['entry.trigger', 'entry.filter', 'exit.trigger', 'exit.filter'] as const;

const axis = z.strictObject({
  rule: z.enum(places),
  param: z.string().max(80),
  values: z.array(z.number()).min(1).max(VALUES_MAX),
});

const runSweep = modelTool({
  name: 'run_sweep',
  description: `Runs a definition with every combination of a few values of one or two parameters, at most ${SWEEP_RUNS_MAX} runs, and says what the best is worth.`,
  args: z.strictObject({ definition: definitionForm, vary: z.array(axis).min(1).max(2), ...windowForm }),
  async run({ definition, vary, ...window }, session) {
    session.tools.count('run_sweep');
    const forms = vary.reduce<DefinitionForm[]>(
      (made, { rule, param, values }) =>
        made.flatMap((form) => values.map((value) => withParam(form, rule, param, value))),
      [definition],
    );
    if (forms.length > SWEEP_RUNS_MAX) {
      throw new ApiError('VALIDATION_ERROR', `vary must give at most ${SWEEP_RUNS_MAX} runs, gives ${forms.length}`);
    }
    const configs: StrategyConfig[] = [];
    for (const form of forms) configs.push(await configOf(form, session, configs.length + 1));
    countRuns(session, configs.length);
    const { timeframe } = placeOf(definedPlace(definition), session.working);
    const asked = windowIn(window, session);
    const run = (config: StrategyConfig) => session.tools.runBacktest(config, timeframe, asked);
    const tested = judged(configs, await runAll(configs, run));
    session.evidence.addTested(tested, false);
    sayBack(session, configs, timeframe, asked);
    const { best, verdict, market_return } = tested;
    return {
      runs: tested.candidates.map(({ config, figures }) => ({
        varied: vary.map((each) => variedIn(config, each)),
        figures,
      })),
      best: best === null ? null : best + 1,
      ...{ verdict, market_return, lines: resultLines(tested) },
    };
  },
});

type Axis = z.infer<typeof axis>;

/** @throws ApiError VALIDATION_ERROR where the definition lacks the rule */
function withParam(form: DefinitionForm, rule: Axis['rule'], param: string, value: number): DefinitionForm {
  const [side, role] = rule.split('.') as ['entry' | 'exit', 'trigger' | 'filter'];
  const held = form[side]?.[role];
  if (held === undefined) throw new ApiError('VALIDATION_ERROR', `vary: the definition has no ${rule}`);
  return { ...form, [side]: { ...form[side], [role]: { ...held, params: { ...held.params, [param]: value } } } };
}

function variedIn({ entry, exit }: StrategyConfig, { rule, param }: Axis): string {
  const [side, role] = rule.split('.');
  const held = (side === 'entry' ? entry : exit)[role === 'trigger' ? 0 : 1];
  return `${param} ${String(held?.params[param])}`;
}

const readResult = modelTool({
  name: 'read_result',
  description: 'Reads the figures of a stored backtest of this person by its id.',
  args: z.strictObject({ backtest_id: z.string().max(80) }),
  async run({ backtest_id }, session) {
    const result = await session.tools.readResult(backtest_id);
    session.evidence.addRun(result.figures, null, null);
    return result;
  },
});

/** Tools of every state. */
export const generalTools: readonly ModelTool[] = [
  ...[searchSignals, lookUp, checkDefinition, runBacktest, runSweep, readResult],
];
