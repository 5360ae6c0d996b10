import { EngineError, quote } from './errors.js';
import { nearestName } from './nearest.js';

/** A key of an input that nothing reads. */
export interface UnknownKey {
  /** The object that has the key, such as `strategy` or `entry[0]`. */
  readonly place: string;
  readonly key: string;
  /** The known key that is spelled most like it; null if none is near. */
  readonly nearest: string | null;
  /** How Barline says what the key says in another tool, or that it cannot be said. */
  readonly advice: string | null;
  /** Whether the run would mean something else without the key. */
  readonly changesMeaning: boolean;
}

/** Words of other tools that mean one thing. */
interface ForeignWords {
  readonly words: readonly string[];
  readonly advice: string;
  /**
   * Set where a run without the word would mean something else, and no setting of Barline says it:
   * the service refuses the word, though it passes over other unknown keys.
   */
  readonly changesMeaning?: true;
  /** Set where the words are foreign in rules only. */
  readonly inRule?: true;
}

/**
 * Words that people bring from freqtrade, Jesse, backtesting.py, vectorbt, TradingView and
 * nautilus.
 */
const foreignWords: readonly ForeignWords[] = [
  {
    words: ['stop_loss', 'stoploss', 'stop_loss_pct', 'sl', 'sl_pct', 'sl_stop', 'custom_stoploss', 'stop', 'loss'],
    advice: 'a stop at a fixed distance is execution_config {"stop_loss_calculation": "fixed", "fixed_stop_pct": 0.05}',
    changesMeaning: true,
  },
  {
    words: [
      ...['trailing', 'trailing_stop', 'trailing_stop_loss', 'trailing_stop_positive', 'trailing_stop_positive_offset'],
      ...['trailing_only_offset_is_reached', 'trailing_offset', 'trail', 'trail_offset', 'trail_points', 'trail_price'],
      ...['sl_trail', 'ts_stop', 'tsl_stop', 'tsl_th', 'trailing_offset_type'],
    ],
    advice: 'trailing_distance of execution_config lets the stop follow the price, break_even_at moves it to the entry',
    changesMeaning: true,
  },
  {
    words: ['minimal_roi', 'roi', 'roi_table'],
    advice:
      'target_schedule of execution_config with target_calculation schedule is a target that falls with time; ' +
      'exit_on_profit_after_bars and profit_threshold_pct sell winners after some bars',
    changesMeaning: true,
  },
  {
    words: [
      ...['direction', 'side', 'sides', 'position_side', 'short', 'can_short', 'should_short', 'go_short'],
      ...['enter_short', 'exit_short', 'short_entry', 'short_exit', 'short_entries', 'short_exits', 'allow_short'],
    ],
    advice: 'the rules of the short side are short_entry and short_exit',
    changesMeaning: true,
  },
  {
    words: [
      'leverage',
      'leverages',
      'futures_leverage',
      'futures_leverage_mode',
      'margin',
      'margin_mode',
      'trading_mode',
    ],
    advice: 'leverage of execution_config buys on margin',
    changesMeaning: true,
  },
  {
    words: ['asset', 'symbol', 'pair', 'informative_pair', 'instrument', 'instrument_id', 'ticker'],
    advice: 'a rule with asset reads the bars of that asset',
    changesMeaning: true,
    inRule: true,
  },
  {
    words: ['take_profit', 'take_profit_pct', 'tp', 'tp_pct', 'tp_stop', 'profit_target', 'target', 'profit'],
    advice: 'the target lies reward_factor times as far from the entry as the stop',
  },
  {
    words: ['exits', 'exit_rules', 'exit_signals', 'exit_signal', 'sell', 'sell_rules', 'exit_long', 'close'],
    advice: 'the rules that sell are exit',
  },
  {
    words: [
      ...['entries', 'entry_rules', 'entry_signals', 'entry_signal', 'buy', 'buy_rules', 'enter_long', 'go_long'],
      ...['should_long', 'long', 'conditions', 'rules', 'signals'],
    ],
    advice: 'the rules that buy are entry',
  },
  {
    words: ['filters', 'filter', 'entry_filters'],
    advice: 'a filter is a rule of entry or exit with "signal_type": "FILTER"',
  },
  {
    words: ['fee', 'fees', 'commission', 'commission_value', 'fixed_fees', 'taker_fee', 'maker_fee', 'commission_type'],
    advice: 'the fee is fee_pct of execution_config, a fraction of each fill',
  },
  {
    words: ['slippage', 'spread'],
    advice: 'slippage is slippage_pct of execution_config, a fraction of each fill',
  },
  {
    words: [
      ...['cash', 'init_cash', 'initial_cash', 'initial_capital', 'capital', 'starting_balance', 'starting_balances'],
      ...['balance', 'dry_run_wallet', 'account_size'],
    ],
    advice: 'the cash at the start is initial_balance of execution_config',
  },
  {
    words: [
      'max_open_trades',
      'pyramiding',
      'max_positions',
      'max_orders',
      'accumulate',
      'hedging',
      'exclusive_orders',
    ],
    advice: 'positions at a time are max_open_positions of execution_config',
  },
  {
    words: [
      ...['stake_amount', 'size', 'size_type', 'qty', 'quantity', 'trade_size', 'position_size', 'order_size', 'risk'],
      ...['default_qty_type', 'default_qty_value', 'qty_percent', 'tradable_balance_ratio', 'min_size', 'max_size'],
    ],
    advice:
      'positions are sized by max_risk_per_trade of execution_config and the distance of the stop, ' +
      'within max_trade_amount and max_units_per_trade; position_sizing chooses an amount or a share instead',
  },
  {
    words: ['symbol', 'symbols', 'pair', 'pairs', 'ticker', 'instrument', 'instrument_id', 'market', 'coin'],
    advice: 'the market is asset',
  },
  {
    words: ['timeframe', 'timeframes', 'interval', 'freq', 'bar_type', 'resolution', 'startup_candle_count'],
    advice: 'each rule names its timeframe, and the run its interval',
  },
  {
    words: ['config', 'execution', 'execution_configs', 'settings', 'execution_settings', 'backtest_config'],
    advice: 'the settings of a run are execution_config',
  },
  {
    words: ['protections', 'cooldown', 'cooldown_period', 'stoploss_guard', 'max_drawdown_protection'],
    advice: 'the pause after losses is cooldown_config of execution_config',
  },
  {
    words: ['max_hold', 'max_bars', 'max_duration', 'td_stop', 'dt_stop', 'time_stop', 'unfilledtimeout'],
    advice: 'the longest holding time is max_hold_bars of execution_config',
  },
  {
    words: [
      ...['trade_on_close', 'process_orders_on_close', 'order_type', 'order_types', 'limit', 'limit_price'],
      ...['stop_price', 'trigger_price', 'time_in_force', 'calc_on_every_tick', 'post_only', 'reduce_only'],
    ],
    advice: 'entries fill at the open of the next bar; entry_order limit or stop of execution_config rests an order',
  },
  {
    words: ['window', 'period', 'length', 'threshold', 'value', 'param', 'parameters', 'args', 'arguments'],
    advice: 'the parameters of a rule stand in its params',
    inRule: true,
  },
  {
    words: ['negate', 'not', 'invert', 'inverted'],
    advice: 'a rule with "negate": true holds where its signal is false',
    inRule: true,
  },
  {
    words: ['within_bars', 'lookback', 'within', 'last_bars'],
    advice: 'a rule with within_bars holds for so many bars from a true one on',
    inRule: true,
  },
  {
    words: ['any', 'or', 'any_of'],
    advice: '{"any": [[rules], [rules]]} stands in place of a whole list of rules',
    inRule: true,
  },
  { words: ['type', 'role', 'signaltype'], advice: 'TRIGGER or FILTER is the signal_type of a rule', inRule: true },
  { words: ['signal', 'indicator', 'signal_name', 'id'], advice: 'the signal of a rule is its name', inRule: true },
];

/** Case and separators are matters of taste: `stopLoss` is `stop_loss`. */
const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const rows = (isRule: boolean) =>
  new Map(
    foreignWords
      .filter(({ inRule }) => inRule === undefined || isRule)
      .toReversed() // of two rows with a word, the first counts
      .flatMap((row) => row.words.map((word) => [plain(word), row] as const)),
  );
const rowsOutside = rows(false);
const rowsInRules = rows(true);

/** How Barline says a word of another tool; null for a word that it does not know either. */
export const adviceFor = (word: string): string | null => rowsOutside.get(plain(word))?.advice ?? null;

/**
 * The keys of an object that nothing reads.
 * @param place name of the object in messages
 * @param isRule whether the object is a rule of a strategy
 */
export function unknownKeys(place: string, record: object, known: readonly string[], isRule = false): UnknownKey[] {
  return Object.keys(record)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const row = (isRule ? rowsInRules : rowsOutside).get(plain(key));
      return {
        place,
        key,
        // A request may have thousands of unknown keys; the message names a few.
        get nearest() {
          return nearestName(key, known);
        },
        advice: row?.advice ?? null,
        changesMeaning: row?.changesMeaning === true && row.words.includes(key),
      };
    });
}

/**
 * The problem of a key, as one clause: `strategy: "entyr" is not a key here, did you mean entry?`
 */
export function unknownKeyText({ place, key, nearest, advice }: UnknownKey): string {
  const hint = advice !== null ? `: ${advice}` : nearest === null ? '' : `, did you mean ${nearest}?`;
  return `${place}: ${quote(key)} is not a key here${hint}`;
}

/** So many keys are named in one refusal. */
const NAMED_MAX = 5;

/** @throws EngineError INVALID_FIELD that names the keys, if there are any */
export function refuseUnknownKeys(unknown: readonly UnknownKey[]): void {
  const [first] = unknown;
  if (first === undefined) return;
  const named = unknown.slice(0, NAMED_MAX).map(unknownKeyText).join('; ');
  const rest = unknown.length > NAMED_MAX ? `; and ${unknown.length - NAMED_MAX} more` : '';
  throw new EngineError('INVALID_FIELD', `${named}${rest}`, { field: first.key, nearest: first.nearest });
}
