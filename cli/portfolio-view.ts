import type { PortfolioResult } from '../research/portfolio/index.js';
import { count, headedTable, money, percent, plural } from './output.js';
import { countBy } from './summary.js';

/** Said where the members do not trade over the same window. */
function sharedText({ shared_window: shared, window, members }: PortfolioResult): string {
  if (members.length === 1) return '';
  if (shared === null) return '; at no time do all members trade';
  if (shared.start === window.start && shared.end === window.end) return ', all members throughout';
  return `; all members from ${day(shared.start)} to ${day(shared.end)}`;
}

const day = (time: string): string => time.replace(/:00Z$/, 'Z').replace('T', ' ');
const ratio = (value: number | null): string => (value === null ? '-' : value.toFixed(2));

/** Summary of a portfolio for a terminal. */
export function portfolioLines(result: PortfolioResult): string[] {
  const { metrics, members, data, window } = result;
  const what = result.kind === 'members' ? plural(members.length, 'member') : plural(members.length, 'asset');
  const lines = [
    `${result.portfolio}: ${what} on ${result.interval}`,
    `${day(window.start)} to ${day(window.end)}, ${plural(result.times, 'time')}${sharedText(result)}`,
    '',
    ...headedTable(
      [
        ['', 'account', 'evenly held'],
        ['total return', percent(Number(metrics.total_return)), percent(Number(metrics.benchmark_asset_return))],
        ['per year', percent(Number(metrics.irr_annualized)), ''],
        ['max drawdown', percent(Number(metrics.max_drawdown)), ''],
        ['Sharpe', ratio(metrics.sharpe_ratio), ''],
        ['balance', `${money(Number(metrics.starting_balance))} -> ${money(Number(metrics.ending_balance))}`, ''],
      ],
      ['left', 'right', 'right'],
    ),
    '',
    ...headedTable(
      [
        ['asset', 'strategy', 'trades', 'profit', 'share', 'exposure', 'in the market'],
        ...members.map((member, m) => [
          member.asset,
          data[m]?.strategy ?? '-',
          count(member.trades),
          money(member.profit),
          member.share_of_return === null ? '-' : percent(member.share_of_return, 0),
          percent(member.exposure, 1),
          percent(member.time_in_market, 1),
        ]),
      ],
      ['left', 'left', 'right', 'right', 'right', 'right', 'right'],
    ),
    '',
    `turnover ${result.turnover.toFixed(2)}, largest exposure ${percent(result.largest_gross_exposure, 0)} gross, ${percent(result.largest_net_exposure, 0)} net`,
  ];
  if (result.denied_by_limits > 0)
    lines.push(`entries denied by limits of the portfolio: ${count(result.denied_by_limits)}`);
  const others = countBy(result.denied_entries.map(({ reason }) => reason));
  if (others !== '') lines.push(`entries denied: ${others}`);
  for (const warning of result.warnings) lines.push(`warning: ${warning}`);
  lines.push(`run ${result.manifest.run_id}`);
  return lines;
}
