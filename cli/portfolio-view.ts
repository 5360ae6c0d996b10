import { sizeLimitNames } from '../engine/backtest/index.js';
import type { SizeLimit } from '../engine/execution/index.js';
import { byMemberText, namedText } from '../engine/portfolio/index.js';
import { memberNames, memberSettings, type PortfolioResult } from '../research/portfolio/index.js';
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
  lines.push(...moneyLines(result));
  const { fee_pct, slippage_pct } = memberSettings(result);
  const cost = (value: typeof fee_pct): string => byMemberText(value, (part) => percent(part, 3));
  lines.push(`costs a leg: fee ${cost(fee_pct)}, slippage ${cost(slippage_pct)}`);
  if (result.denied_by_limits > 0)
    lines.push(`entries denied by limits of the portfolio: ${count(result.denied_by_limits)}`);
  const others = countBy(result.denied_entries.map(({ reason }) => reason));
  if (others !== '') lines.push(`entries denied: ${others}`);
  lines.push(...limitedLine(result));
  for (const warning of result.warnings) lines.push(`warning: ${warning}`);
  lines.push(`run ${result.manifest.run_id}`);
  return lines;
}

/** The limits that made entries smaller, each with its members. */
function limitedLine({ members }: PortfolioResult): string[] {
  const names = memberNames(members);
  const limits = [...new Set(members.flatMap(({ limited }) => Object.keys(limited) as SizeLimit[]))];
  const parts = limits.map((limit) => {
    const counts = members.flatMap(({ limited }, m) =>
      limited[limit] === undefined ? [] : [[names[m], limited[limit]] as const],
    );
    const all = counts.reduce((sum, [, n]) => sum + n, 0);
    return `${sizeLimitNames[limit]} ${count(all)} (${namedText(counts.map(([name]) => name ?? ''))})`;
  });
  return parts.length === 0 ? [] : [`entries made smaller: ${parts.join('; ')}`];
}

function moneyLines({ contributions }: PortfolioResult): string[] {
  if (contributions === null) return [];
  const { payments, paid_in, paid_out, ending_value, profit } = contributions;
  const { time_weighted_return: time, money_weighted_return: rate } = contributions;
  return [
    `${plural(payments, 'payment')}: ${money(paid_in)} in, ${money(paid_out)} out; the account ends at ${money(ending_value)}, a profit of ${money(profit)}`,
    `time-weighted return ${percent(time)}, money-weighted ${rate === null ? '-' : percent(rate)} a year`,
  ];
}
