import type { PortfolioAuditReport } from '../research/portfolio/index.js';
import { shareText } from './across-view.js';
import { count, headedTable, money, percent, plural } from './output.js';

/** What the audit of a portfolio says of its account; its members follow. */
export function portfolioAuditLines({
  times,
  cuts,
  findings,
  first_values,
  what_if,
  chance,
}: PortfolioAuditReport): string[] {
  const rows = what_if.map(({ change, profit, total_return, market_return, trades }) => [
    ...[change, money(profit), percent(total_return, 1), percent(market_return, 1), count(trades)],
  ]);
  return [
    `${plural(times, 'time')}, ${cuts === 0 ? 'never cut off' : `cut off at ${plural(cuts, 'random time')}`}`,
    ...findings.map(
      ({ kind, what, time, cut }) =>
        `${kind}: the ${what} ${what === 'trades' ? 'change' : 'changes'} when later bars are removed: the portfolio reads its future (first at ${time}, with bars up to ${cut})`,
    ),
    ...(findings.length === 0 && cuts > 0 ? ['clean: no account value and no closed trade changed at these cuts'] : []),
    ...(cuts === 0 ? ['not checked: the future of the account, as its members have no time together to cut at'] : []),
    ...first_values.map(
      ({ asset, rule, first_value, is_late }) =>
        `${asset}: ${rule} has ${first_value === null ? 'no value' : `its first value at ${first_value}`}${is_late ? '' : ', from the start on'}`,
    ),
    '',
    ...headedTable(
      [['what if', 'profit', 'return', 'held evenly', 'trades'], ...rows],
      ['left', 'right', 'right', 'right', 'right'],
    ),
    chance === null
      ? 'not asked: signals at other times, as nothing here decides when to trade'
      : `signals at other times: in ${shareText(chance.luck_p)} of ${count(chance.draws)} draws they return as much; their median is ${percent(chance.median_return, 1)}`,
  ];
}
