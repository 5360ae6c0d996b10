import type { DenialReason, ExecutionConfig } from '../engine/execution/index.js';
import type { ExtendedMetrics, MetricName } from '../engine/metrics/index.js';
import { count, figure, label, labelIn, percent, plural, signed } from './format.js';
import { escapeHtml, numberText, pairTable } from './html.js';
import { benchmarkLabel } from './overview.js';
import { settingText } from './rules.js';
import type { Figure, Figures, TearSheet } from './sheet.js';
import { hasSides, sideFigureNames } from './sides.js';

/** Stands for the name of the benchmark. */
const HELD = 'buy and hold';

const headlines: readonly (readonly [name: MetricName, title: string, beside?: readonly [MetricName, string]])[] = [
  ['total_return', 'Total return', ['benchmark_asset_return', HELD]],
  ['irr_annualized', 'Per year', ['num_days', 'run']],
  ['max_drawdown', 'Deepest drawdown', ['max_drawdown_duration', 'longest']],
  ['sharpe_ratio', 'Sharpe ratio', ['sortino_ratio', 'Sortino']],
  ['total_trades', 'Trades', ['win_rate', 'winning']],
  ['profit_factor', 'Profit factor', ['expectancy', 'per trade']],
  ['exposure', 'In the market', ['avg_bars_held', 'average holding']],
  ['ending_balance', 'Ending balance', ['total_fees', 'fees']],
];

const gains: ReadonlySet<string> = new Set<MetricName>(['total_return', 'irr_annualized', 'benchmark_asset_return']);

const plain = (name: string, figures: Figures): string => {
  const found = figures[name];
  if (found === undefined) return '';
  const text = found.unit === 'trades' && found.value !== null ? count(found.value) : figure(found);
  return gains.has(name) && found.value !== null ? signed(found.value, text) : text;
};

export function headlinePanel(sheet: TearSheet): string {
  const { metrics, benchmark } = sheet;
  const heldName = benchmarkLabel(sheet);
  const tiles = headlines.flatMap(([name, title, beside]) => {
    const text = plain(name, metrics);
    if (text === '') return [];
    // biome-ignore lint/style/noNonNullAssertion: the text is not empty, so the metric exists
    const value = metrics[name]!.value ?? 0;
    const tone = !gains.has(name) || value === 0 ? '' : value > 0 ? ' class="gain"' : ' class="loss"';
    const second = beside === undefined ? '' : plain(beside[0], metrics);
    const besideName = beside?.[1] === HELD ? heldName : beside?.[1];
    const small = second === '' ? '' : `<small>${escapeHtml(`${besideName} ${second}`)}</small>`;
    // The return of the benchmark stands beside already.
    const held = name === 'total_return' ? '' : plain(name, benchmark);
    const compared = held === '' ? '' : `<small class="held">${escapeHtml(`${heldName} ${held}`)}</small>`;
    // biome-ignore lint/style/noNonNullAssertion: the text is not empty, so the metric exists
    const meaning = metrics[name]!.description;
    const tip = meaning === undefined ? '' : ` title="${escapeHtml(meaning)}"`;
    return [`<div><dt${tip}>${title}</dt><dd><span${tone}>${numberText(text)}</span>${small}${compared}</dd></div>`];
  });
  return tiles.length === 0 ? '' : `<dl class="headline">${tiles.join('\n')}</dl>`;
}

/** Metrics that repeat another metric, or a setting, under a second name. */
const repeated: Readonly<Record<string, MetricName | keyof ExecutionConfig>> = {
  buy_and_hold_return: 'benchmark_asset_return',
  time_in_market: 'exposure',
  fees_paid: 'total_fees',
  slippage_paid: 'total_slippage_cost',
  starting_balance: 'initial_balance',
} satisfies Partial<Record<MetricName | keyof ExtendedMetrics, MetricName | keyof ExecutionConfig>>;

/** The metrics that appear nowhere else on the page, in two columns. */
export function metricTables(sheet: TearSheet): string {
  const { metrics, extendedMetrics, execution, benchmark } = sheet;
  const isBeside = hasSides(sheet); // a table of their own has the figures of the sides
  const above = new Set<string>(
    headlines.flatMap(([name, , beside]) => (metrics[name] === undefined ? [] : [name, beside?.[0] ?? name])),
  );
  const all = { ...metrics, ...extendedMetrics };
  const isNew = ([name, { value }]: [string, Figure]): boolean => {
    if (isBeside && sideFigureNames.has(name)) return false;
    const twin = repeated[name];
    const plain = name.replace(/_(daily|full_bars)$/, '');
    if (plain !== name && all[plain]?.value === value) return false; // the other form is no news
    return !above.has(name) && (twin === undefined || !(twin in metrics || twin in execution));
  };
  const rest = [...Object.entries(metrics), ...Object.entries(extendedMetrics)].filter(isNew);
  const half = Math.ceil(rest.length / 2);
  const columns = [rest.slice(0, half), rest.slice(half)].filter((column) => column.length > 0);
  const tables = columns.map((column, i) => {
    const rows = column.map(([name, value]) => {
      const held = benchmark[name];
      const compared = held === undefined ? [] : [`${benchmarkLabel(sheet)} ${figure(held)}`];
      const meaning = [...(value.description === undefined ? [] : [value.description]), ...compared].join('; ');
      return [labelIn(extendedMetrics, name), figure(value), meaning === '' ? undefined : meaning] as const;
    });
    return pairTable(`Metrics, column ${i + 1}`, rows, 'figures');
  });
  return `<div class="two">${tables.join('')}</div>`;
}

export const settingTable = (caption: string, settings: Readonly<Record<string, unknown>>): string =>
  pairTable(
    caption,
    Object.entries(settings).map(([name, value]) => [name, settingText(value)]),
  );

const denialMeanings = {
  exit_conflict: 'the exit rule was true at the same bar close',
  min_balance: 'the balance was below its minimum',
  cooldown: 'too many recent losses',
  max_positions: 'the maximum number of positions was open',
  daily_limit: 'the maximum number of entries for the day was reached',
  atr_warmup: 'not enough history to compute the stop',
  invalid_stop: 'the stop would not have been below the price',
  volatility_warmup: 'not enough history to compute the volatility',
  insufficient_cash: 'no cash was left',
  side_conflict: 'the entry rules of both sides were true at the same bar close',
  order_working: 'an order of the same side was still working',
  guard: 'a guard had paused entries',
  opposite_position: 'positions of the other side were open',
  max_exposure: 'the open positions used all of the allowed exposure',
  portfolio_positions: 'the portfolio held as many positions as it may',
  min_trade_amount: 'the entry would have been too small',
} as const satisfies Readonly<Record<DenialReason, string>>;

/** A row of the funnel, with its share of the step before as text and as a bar. */
function step(className: string, name: string, meaning: string, n: number, of: number, whole: string): string {
  const share = of > 0 ? n / of : 0;
  const small = meaning === '' ? '' : `<small>${escapeHtml(meaning)}</small>`;
  const width = (100 * Math.min(1, Math.max(0, share))).toFixed(2);
  const meter = whole === '' ? '' : `<span class="meter"><i style="width:${width}%"></i></span>`;
  const text = whole === '' ? '' : `${percent(share, share < 0.01 ? 2 : 1)} ${whole}`;
  return `<tr class="${className}"><th scope="row">${escapeHtml(name)}${small}</th><td>${count(n)}</td><td class="text">${text}${meter}</td></tr>`;
}

/** From bars to fills: what became of the entry signals. */
export function funnelPanel({ diagnostics, trades }: TearSheet): string {
  const { bars, trigger_true, filter_true, both_true, denied, filled, limited = {}, verdict } = diagnostics;
  const expired = diagnostics.order_expired ?? 0;
  // With both sides the counts are sums over both.
  const isBoth = diagnostics.long !== undefined && diagnostics.short !== undefined;
  const [asked, ofBars] = isBoth ? [2 * bars, 'of the bars of both sides'] : [bars, 'of the bars'];
  const reasons = Object.entries(denied).sort((a, b) => b[1] - a[1]);
  const rest = both_true - filled - expired - reasons.reduce((sum, [, n]) => sum + n, 0);
  const rows = [
    step('', 'Bars', 'at whose close the rules were evaluated', bars, bars, ''),
    step('', 'Trigger true', '', trigger_true, asked, ofBars),
    step('', 'Filters true', '', filter_true, asked, ofBars),
    step('', 'Both true: entry wanted', '', both_true, trigger_true, 'of the triggers'),
    ...reasons.map(([reason, n]) =>
      step(
        'denied',
        `denied: ${label(reason).toLowerCase()}`,
        denialMeanings[reason as DenialReason] ?? '',
        n,
        both_true,
        'of wanted entries',
      ),
    ),
    expired > 0
      ? step('denied', 'order expired', 'the price did not reach the order', expired, both_true, 'of wanted entries')
      : '',
    rest > 0 ? step('denied', 'not filled', 'no bar followed', rest, both_true, 'of wanted entries') : '',
    step('', 'Filled', '', filled, both_true, 'of wanted entries'),
    ...(['long', 'short'] as const).flatMap((side) => {
      const one = diagnostics[side];
      if (one === undefined) return [];
      return [step('', `${side} entries filled`, one.verdict ?? '', one.filled, one.both_true, 'of wanted')];
    }),
    ...Object.entries(limited).map(([limit, n]) =>
      step('', `made smaller by ${limit}`, 'than the risk of the trade asked for', n, filled, 'of the filled'),
    ),
  ];
  const said = verdict === null || trades.length === 0 ? '' : `<p class="notice plain">${escapeHtml(verdict)}</p>`;
  return `${said}<div class="scroll"><table class="funnel"><caption class="spoken">From bars to filled entries</caption><thead class="spoken"><tr><th scope="col">Step</th><th scope="col">Count</th><th scope="col">Share</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** What the reader must know before trusting the page: no trades, refused rules, warnings. */
export function noticePanel({ trades, diagnostics, warnings, deniedSignals }: TearSheet): string {
  const notices: string[] = [];
  if (trades.length === 0) {
    const why = diagnostics.verdict ?? `the rules wanted an entry on ${plural(diagnostics.both_true, 'bar')}.`;
    const because = why.replace(/^No trades[:.] */, '');
    notices.push(`<div class="notice" id="no-trades"><strong>No trades:</strong> ${escapeHtml(because)}</div>`);
  }
  const items = [
    ...deniedSignals.map(({ side, name, reason, message }) => `Refused ${side} rule ${name} (${reason}): ${message}`),
    ...warnings,
  ];
  if (items.length > 0) {
    const list = items.map((item) => `<li>${escapeHtml(item)}</li>`).join('');
    notices.push(`<div class="notice"><strong>Warnings</strong><ul>${list}</ul></div>`);
  }
  return notices.join('\n');
}
