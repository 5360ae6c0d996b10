import { sizeLimitNames } from '../engine/backtest/index.js';
import type { SizeLimit } from '../engine/execution/index.js';
import { type MetricName, type Metrics, stated } from '../engine/metrics/index.js';
import { type BacktestResult, shortWindowCaution } from '../research/backtest/index.js';
import { count, money, percent, plural, table } from './output.js';

const day = (time: string): string => time.replace(/:00Z$/, 'Z').replace('T', ' ');

/** A metric as text; of a ratio without its denominator, why it has no value. */
export function statedText(name: MetricName, metrics: Metrics, render: (value: number) => string): string {
  const { value, why } = stated(name, metrics);
  return value === null ? (why ?? '-') : render(value);
}

/** Summary of one backtest for a terminal, about 80 columns wide. */
export function summaryLines(result: BacktestResult): string[] {
  const { metrics, extended_metrics: extended, data, execution_config: config } = result;
  const ratio = (name: MetricName) => statedText(name, metrics, (value) => value.toFixed(2));
  const source = data.aggregated_from === null ? data.source : `${data.source}, from ${data.aggregated_from} bars`;
  const lines = [
    `${result.strategy} on ${result.asset} ${result.interval}`,
    `${day(result.window.start)} to ${day(result.window.end)}, ${plural(data.tradable_bars, 'bar')} (${source}), ${plural(data.history_bars, 'bar')} of history`,
    `costs a leg: fee ${percent(config.fee_pct, 3)}, slippage ${percent(config.slippage_pct, 3)}; ${sizingText(config)}`,
    '',
    ...table(
      [
        [
          'balance',
          `${money(metrics.starting_balance)} -> ${money(metrics.ending_balance)}`,
          'trades',
          count(metrics.total_trades),
        ],
        ['total return', percent(metrics.total_return), 'win rate', percent(metrics.win_rate, 1)],
        ['per year', percent(metrics.irr_annualized), 'profit factor', ratio('profit_factor')],
        ['buy and hold', percent(metrics.benchmark_asset_return), 'expectancy', money(metrics.expectancy)],
        ['max drawdown', percent(metrics.max_drawdown), 'average win', money(metrics.avg_win)],
        ['drawdown lasted', plural(metrics.max_drawdown_duration, 'bar'), 'average loss', money(metrics.avg_loss)],
        ['Sharpe', ratio('sharpe_ratio'), 'losses in a row', count(metrics.max_consecutive_losses)],
        ['Sortino', ratio('sortino_ratio'), 'bars held', metrics.avg_bars_held.toFixed(1)],
        ['Calmar', ratio('calmar_ratio'), 'in the market', percent(metrics.exposure, 1)],
        ['fees paid', money(metrics.total_fees), 'slippage paid', money(metrics.total_slippage_cost)],
        [
          'worst 5 % of days',
          extended.conditional_value_at_risk_95_daily === null
            ? '-'
            : percent(-extended.conditional_value_at_risk_95_daily, 2),
          'alpha a year',
          alphaText(extended),
        ],
      ],
      ['left', 'right', 'left', 'right'],
    ).map((line) => `  ${line}`),
  ];
  const { diagnostics } = result;
  const { long, short } = diagnostics;
  lines.push('', ...sideLines(result));
  if (short === undefined) lines.push(stagesText('entries', diagnostics));
  if (long !== undefined) lines.push(stagesText('long entries', long));
  if (short !== undefined) lines.push(stagesText('short entries', short));
  if (diagnostics.verdict !== null) lines.push(diagnostics.verdict);
  const exits = countBy(result.trades.map(({ exit_reason }) => exit_reason));
  if (exits !== '') lines.push(`exits: ${exits}`);
  const denials = Object.entries(result.diagnostics.denied).map(([reason, n]) => `${reason} ${count(n)}`);
  if (denials.length > 0) lines.push(`entries denied: ${denials.join(', ')}`);
  const small = Object.entries(diagnostics.too_small).map(
    ([limit, n]) => `${sizeLimitNames[limit as SizeLimit]} ${count(n)}`,
  );
  if (diagnostics.order_expired !== undefined) {
    lines.push(
      `entry orders: ${count(diagnostics.order_placed ?? 0)} placed, ${count(diagnostics.order_expired)} expired`,
    );
  }
  if (diagnostics.detail !== undefined) {
    const { resolved, changed, unresolved } = diagnostics.detail;
    lines.push(
      `finer bars: decided ${count(resolved)} exits, ${count(changed)} of them otherwise; undecided ${count(unresolved)}`,
    );
  }
  if (small.length > 0) lines.push(`of these too small by: ${small.join(', ')}`);
  const limited = Object.entries(diagnostics.limited).map(
    ([limit, n]) => `${sizeLimitNames[limit as SizeLimit]} ${count(n)}`,
  );
  if (limited.length > 0) lines.push(`entries made smaller: ${limited.join(', ')}`);
  for (const { side, name, reason, message } of result.denied_signals) {
    lines.push(`refused ${side} rule ${name} (${reason}): ${message}`);
  }
  if (result.funding_paid !== 0) lines.push(`funding paid: ${money(result.funding_paid)}`);
  const missing = data.gaps.reduce((sum, gap) => sum + gap.bars, 0);
  if (missing > 0)
    lines.push(`data: ${plural(missing, 'bar')} missing in ${plural(data.gaps.length, 'gap')}, not filled`);
  const caution = shortWindowCaution(metrics);
  if (caution !== null) lines.push(`caution: ${caution}`);
  for (const warning of result.warnings) lines.push(`warning: ${warning}`);
  lines.push(`run ${result.manifest.run_id}, data ${data.content_hash.slice(0, 12)}`);
  return lines;
}

type Stages = Pick<BacktestResult['diagnostics'], 'trigger_true' | 'filter_true' | 'both_true' | 'filled'>;

const stagesText = (name: string, { trigger_true, filter_true, both_true, filled }: Stages): string =>
  `${name}: trigger true on ${count(trigger_true)} bars, filter on ${count(filter_true)}, both on ${count(both_true)}, filled ${count(filled)}`;

/** What sets the size of an entry, and its leverage. */
function sizingText(config: BacktestResult['execution_config']): string {
  const { position_sizing: sizing = 'risk', trade_amount = 1000, trade_share = 0.1, leverage = 1 } = config;
  const words = {
    risk: `risk a trade ${percent(config.max_risk_per_trade)}`,
    fixed_amount: `${money(trade_amount)} a trade`,
    equity_share: `${percent(trade_share, 0)} of the account a trade`,
    volatility_target: `sized for a volatility of ${percent(config.target_volatility, 0)} a year`,
  };
  return `${words[sizing]}${leverage === 1 ? '' : `, leverage ${leverage}`}`;
}

/** Results, entries and denials of each side, and what the account held; for runs with a short side. */
function sideLines({ side_metrics: sides, diagnostics }: BacktestResult): string[] {
  if (sides === undefined) return [];
  const lines: string[] = [];
  for (const side of ['long', 'short'] as const) {
    const one = diagnostics[side];
    if (one === undefined) continue;
    const { net_pnl, win_rate, profit_factor, trades } = sides[side];
    const won = `win rate ${percent(win_rate, 1)}, profit factor ${profit_factor === null ? 'none lost' : profit_factor.toFixed(2)}`;
    const denied = Object.entries(one.denied).map(([reason, n]) => `${reason} ${count(n)}`);
    const refused = denied.length === 0 ? '' : `; denied ${denied.join(', ')}`;
    lines.push(
      `${side}: ${plural(trades, 'trade')}, ${money(net_pnl)}, ${won}, in the market ${percent(sides[`exposure_${side}`], 1)}${refused}`,
    );
    if (one.verdict !== null && diagnostics.verdict === null) lines.push(one.verdict);
  }
  const times = (value: number) => `${value.toFixed(2)}x`;
  lines.push(
    `exposure: gross ${times(sides.gross_exposure)} (largest ${times(sides.largest_gross_exposure)}), net ${times(sides.net_exposure)}`,
  );
  if (sides.return_on_margin !== null) {
    const lost = sides.liquidations === 0 ? '' : `, ${plural(sides.liquidations, 'liquidation')}`;
    lines.push(`on margin: ${percent(sides.return_on_margin)} of the margins locked${lost}`);
  }
  return lines;
}

/** Alpha with the t-value that says whether it differs from 0. */
const alphaText = ({ alpha_compounded: alpha, alpha_t: t }: BacktestResult['extended_metrics']): string =>
  alpha === null || t === null ? '-' : `${percent(alpha)} (t ${t.toFixed(1)})`;

/** `SL 12, TP 7`, most frequent first. */
export function countBy(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, n]) => `${name} ${count(n)}`)
    .join(', ');
}
