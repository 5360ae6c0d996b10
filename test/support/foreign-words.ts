import { seededRandom } from './random.js';

/** Keys of strategies, orders and settings as other tools spell them. */
const vocabularies: Readonly<Record<string, string>> = {
  freqtrade: `stoploss trailing_stop trailing_stop_positive trailing_stop_positive_offset minimal_roi can_short
    trailing_only_offset_is_reached use_exit_signal exit_profit_only exit_profit_offset ignore_roi_if_entry_signal
    stake_amount stake_currency max_open_trades timeframe startup_candle_count protections order_types leverage
    process_only_new_candles unfilledtimeout tradable_balance_ratio dry_run_wallet trading_mode margin_mode
    informative_pairs custom_stoploss position_adjustment_enable`,
  Jesse: `should_long should_short go_long go_short should_cancel_entry stop_loss take_profit leverage exchange
    symbol futures_leverage futures_leverage_mode hyperparameters qty filters balance`,
  'backtesting.py': `sl tp size commission margin trade_on_close hedging exclusive_orders spread cash
    finalize_trades limit stop tag`,
  vectorbt: `sl_stop tp_stop sl_trail tsl_stop tsl_th td_stop dt_stop direction size size_type fees fixed_fees
    slippage init_cash cash_sharing accumulate freq entries exits short_entries short_exits upon_opposite_entry
    max_orders min_size max_size`,
  TradingView: `pyramiding default_qty_type default_qty_value initial_capital commission_type commission_value
    process_orders_on_close margin_long margin_short calc_on_every_tick trail_points trail_offset trail_price
    profit loss long short qty_percent oca_name close_entries_rule currency`,
  nautilus: `instrument_id bar_type trade_size order_id_tag oms_type starting_balances account_type base_currency
    venue time_in_force reduce_only leverages trigger_price trailing_offset trailing_offset_type order_type
    post_only close_positions_on_stop manage_gtd_expiry`,
};
const words = Object.values(vocabularies).flatMap((text) => text.split(/\s+/));

export const rule = { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: {} };
/** A definition without a foreign word. */
export const definition = { name: 'x', asset: 'BTC', entry: [rule], exit: [{ ...rule, name: 'rsi_cross_down' }] };

/** Each puts a key into one place of a definition. */
const places: Readonly<Record<string, (key: object) => object>> = {
  strategy: (key) => ({ ...definition, ...key }),
  'entry[0]': (key) => ({ ...definition, entry: [{ ...rule, ...key }] }),
  'exit[0]': (key) => ({ ...definition, exit: [{ ...rule, ...key }] }),
  execution_config: (key) => ({ ...definition, execution_config: { ...key } }),
};

const values = [0.05, true, 'short', 2, { 0: 0.1 }, [], null];

interface Foreign {
  readonly word: string;
  readonly place: string;
  readonly value: unknown;
  readonly definition: object;
}

/** Definitions with one word of another tool each, the same ones for the same seed. */
export function* definitions(count: number, seed = 36): Iterable<Foreign> {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  for (let i = 0; i < count; i++) {
    const [word, [place, put], value] = [pick(words), pick(Object.entries(places)), pick(values)];
    if (word === 'timeframe' && place !== 'strategy') continue; // a key of ours there
    yield { word, place, value, definition: put({ [word]: value }) };
  }
}
