import { ApiError, clip } from '../rpc/index.js';

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  text(given: Readonly<Record<string, string>>): string;
}

/** Longer than any idea in a few sentences. */
export const ARGUMENT_CHARACTERS_MAX = 4_000;

const honest = `Report only figures that a tool returned in this conversation, with the id of the run. Say which costs and
which window they hold for. Never call a result good because one run of many was good.`;

const prompts: readonly Prompt[] = [
  {
    name: 'test_idea',
    title: 'Test an idea',
    description: 'From an idea in plain words to a strategy, its backtest and its audit.',
    arguments: [
      { name: 'idea', description: 'the idea, such as "buy dips of BTC in an uptrend"', required: true },
      { name: 'asset', description: 'asset, such as BTC', required: false },
      { name: 'interval', description: '5m, 15m, 30m, 1h, 4h or 1D', required: false },
    ],
    text: ({
      idea = '',
      asset = 'the asset that the idea names',
      interval = 'an interval that suits it',
    }) => `Test this idea: ${idea}

Asset: ${asset}. Interval: ${interval}.

1. market_list_datasets: which bars are held. Say so if the asset is not among them.
2. signals_match with the idea in plain words, then signals_get for each signal that you want to use. An entry takes one
   TRIGGER (an event) and one FILTER (a state).
3. backtests_run with strategy_json, over all held bars. Leave the costs as they are.
4. backtests_get_audit: does the strategy read its future, or depend on where the data begins?
5. Compare with holding the asset: the metrics have the return of the benchmark.
6. If there are fewer than 30 trades, say that nothing can be concluded.

${honest}`,
  },
  {
    name: 'improve_strategy',
    title: 'Improve a strategy',
    description: 'Vary a stored strategy in a sweep, and say whether a variant is better than luck.',
    arguments: [{ name: 'strategy_id', description: 'UUID of the strategy', required: true }],
    text: ({ strategy_id: id = '' }) => `Improve the strategy ${id}.

1. strategies_get, then backtests_run with its strategy_id: where it stands.
2. knowledge_list_sweep_templates shows how a sweep is written. Vary at most three things that you can give a reason for.
   Every configuration that is tried makes the best one less credible.
3. experiments_run with that configuration.
4. experiments_get_honesty: what luck alone would have shown, and whether the neighbours of the best run are good too.
5. Only if it passes: strategies_create with the better settings, under a name that says what changed. Leave the old one.
   If it does not pass, say so: the strategy stays as it is.

${honest}`,
  },
  {
    name: 'judge_sweep',
    title: 'Judge a sweep',
    description: 'How far the best run of an experiment can be believed.',
    arguments: [{ name: 'experiment_id', description: 'id of the experiment', required: true }],
    text: ({ experiment_id: id = '' }) => `Judge the experiment ${id}.

1. experiments_get: is it complete, and how many runs had no trades or failed?
2. results_list with its experiment_id, best first.
3. experiments_get_honesty: the Sharpe ratio that luck would have shown, the probability of overfitting, the walk-forward,
   the neighbours of the best run, the stress of costs.
4. knowledge_get_document with the slug belief explains each figure. Read it before you explain them.
5. Give a verdict in one sentence: believe it, do not believe it, or not enough trades to say. Then the three figures that
   decided it.

${honest}`,
  },
  {
    name: 'audit_strategy',
    title: 'Audit a strategy',
    description: 'Look for look-ahead, for dependence on the first bar, and for results that rest on few trades.',
    arguments: [{ name: 'backtest_id', description: 'UUID of a completed backtest', required: true }],
    text: ({ backtest_id: id = '' }) => `Audit the backtest ${id}.

1. backtests_get: metrics, settings, warnings and denied signals.
2. backtests_get_audit: every finding, in plain words.
3. backtests_replay: does the same run come out again?
4. backtests_list_trades: does the profit come from one trade, one month or one exit reason?
5. Say what would have to be true for the result to hold in the future, and what would prove it wrong.

${honest}`,
  },
];

export const listedPrompts = prompts.map(({ text: _, ...listed }) => listed);

/**
 * The text of a prompt.
 * @throws ApiError RESOURCE_NOT_FOUND, MISSING_FIELD, VALIDATION_ERROR
 */
export function promptText(name: string, given: Readonly<Record<string, string>>) {
  const prompt = prompts.find((one) => one.name === name);
  if (prompt === undefined) {
    const known = prompts.map((one) => one.name).join(', ');
    throw new ApiError('RESOURCE_NOT_FOUND', `no prompt ${clip(name, 80)}: there are ${known}`);
  }
  const missing = prompt.arguments.filter((one) => one.required && !given[one.name]?.trim()).map((one) => one.name);
  if (missing.length > 0) {
    throw new ApiError('MISSING_FIELD', `Missing required fields: ${missing.join(', ')}`, { fields: missing });
  }
  const long = prompt.arguments.find((one) => (given[one.name]?.length ?? 0) > ARGUMENT_CHARACTERS_MAX)?.name;
  if (long !== undefined) {
    const message = `${long} must have at most ${ARGUMENT_CHARACTERS_MAX} characters, had ${given[long]?.length}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: long });
  }
  const filled = Object.entries(given).filter(([, value]) => value.trim() !== '');
  return { description: prompt.description, text: prompt.text(Object.fromEntries(filled)) };
}
