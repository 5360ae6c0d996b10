// biome-ignore-all lint/style/noNonNullAssertion: rows and columns of a correlation are those of the members
import { count, day, minute, money, NONE, percent, plural, signed } from '../format.js';
import { escapeHtml, numberText, pairTable, scrollTable } from '../html.js';
import { correlationText, deepestFall, type PortfolioSheet, type SheetMember } from './charts.js';

/** Members up to which the table has the order of the definition; more go by profit. */
const LISTED_IN_ORDER = 20;

/** What each member brought, and how far it fell. */
export function memberTable({ members, account }: PortfolioSheet): string {
  const largest = Math.max(...members.map(({ profit }) => Math.abs(profit)), 1e-9);
  const hasStrategies = members.some(({ strategy }) => strategy !== null);
  const head = ['Member', ...(hasStrategies ? ['Strategy'] : []), 'Trades', 'Profit', '', 'Share of profit'];
  const rest = ['Deepest fall', 'of the balance', 'Mean weight', 'In the market'];
  const cells = [...head, ...rest].map(
    (name, i) => `<th scope="col"${i === 1 && hasStrategies ? ' class="text"' : ''}>${name}</th>`,
  );
  const isMany = members.length > LISTED_IN_ORDER;
  const listed = isMany ? [...members].sort((a, b) => b.profit - a.profit) : members;
  const rows = listed.map((member) => row(member, largest, hasStrategies, account.initialBalance));
  return scrollTable(
    'Members',
    `<table class="members"><caption class="spoken">Members</caption><thead><tr>${cells.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
    isMany ? 'tall' : '',
  );
}

function row(member: SheetMember, largest: number, hasStrategies: boolean, balance: number): string {
  const { name, strategy, trades, profit, shareOfReturn, exposure, timeInMarket, profits } = member;
  const fall = deepestFall(profits);
  const width = (100 * Math.abs(profit)) / largest;
  const bar = `<span class="bar ${profit < 0 ? 'lost' : 'won'}" aria-hidden="true"><i style="width:${width.toFixed(1)}%"></i></span>`;
  const figures = [
    shareOfReturn === null ? NONE : percent(shareOfReturn, 0),
    money(fall),
    percent(fall / balance, 1),
    percent(exposure, 1),
    percent(timeInMarket, 0),
  ];
  const strategyCell = hasStrategies ? `<td class="text">${escapeHtml(strategy ?? '')}</td>` : '';
  const profitCell = `<td class="${profit < 0 ? 'loss' : 'gain'}">${signed(profit, money(profit))}</td><td class="meter-cell">${bar}</td>`;
  return `<tr><th scope="row">${escapeHtml(name)}</th>${strategyCell}<td>${count(trades)}</td>${profitCell}${figures.map((text) => `<td>${numberText(text)}</td>`).join('')}</tr>`;
}

/** A correlation map of more members could not be read. */
const MAPPED_MAX = 24;

/** The members that are mapped: of many, those with the largest profits and losses. */
const mapped = ({ members }: PortfolioSheet): number[] => {
  const all = [...members.keys()];
  if (all.length <= MAPPED_MAX) return all;
  const size = (m: number): number => Math.abs(members[m]!.profit);
  return all.sort((a, b) => size(b) - size(a) || a - b).slice(0, MAPPED_MAX);
};

export function correlationMap(sheet: PortfolioSheet): string {
  const { members, correlation } = sheet;
  const shown = mapped(sheet);
  const head = shown.map((m) => `<th scope="col">${escapeHtml(members[m]!.name)}</th>`).join('');
  const rows = shown.map((a) => {
    const cells = shown.map((b) => {
      if (a === b) return '<td class="self">1</td>';
      const value = correlation[a]?.[b] ?? null;
      if (value === null) return `<td class="none">${numberText(NONE)}</td>`;
      return `<td class="${value < 0 ? 'cold' : 'hot'}" style="--a:${(0.7 * Math.abs(value)).toFixed(2)}">${correlationText(value)}</td>`;
    });
    return `<tr><th scope="row">${escapeHtml(members[a]!.name)}</th>${cells.join('')}</tr>`;
  });
  return scrollTable(
    'Correlation map',
    `<table class="corr"><caption class="spoken">Correlation of the daily profits of each two members</caption><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
  );
}

export function correlationNote(sheet: PortfolioSheet): string {
  const { members, correlation } = sheet;
  const pairs = members.flatMap((_, a) =>
    members.slice(a + 1).flatMap((_, k) => {
      const value = correlation[a]?.[a + 1 + k] ?? null;
      return value === null ? [] : [value];
    }),
  );
  const mean =
    pairs.length === 0 ? '' : ` On average ${correlationText(pairs.reduce((s, v) => s + v, 0) / pairs.length)}.`;
  const part =
    members.length > MAPPED_MAX ? ` Shows the ${MAPPED_MAX} members with the largest profits and losses.` : '';
  return `Of the daily profits of each two members: 1 moves as one, 0 apart, below 0 against each other.${mean}${part}`;
}

/** Rebalancings that the page holds: the newest. */
const REBALANCES_MAX = 300;
const HELD_MAX = 6;

export function rebalanceTable({ rebalances, members, account }: PortfolioSheet): string {
  if (rebalances.length === 0) return '<p>No weight was ever moved.</p>';
  const { equity, intervalMs } = account;
  const when = intervalMs % 86_400_000 === 0 ? day : minute;
  const rows = rebalances
    .slice(-REBALANCES_MAX)
    .reverse()
    .map(({ timeMs, bar, sold, bought }) => {
      const value = equity[bar]!;
      const held = members
        .map(({ name, weights }) => ({ name, weight: weights[bar]! }))
        .filter(({ weight }) => weight > 0)
        .sort((a, b) => b.weight - a.weight);
      const named = held.slice(0, HELD_MAX).map(({ name, weight }) => `${name} ${percent(weight, 0)}`);
      const more = held.length > HELD_MAX ? ` and ${held.length - HELD_MAX} more` : '';
      const text = held.length === 0 ? 'cash' : named.join(', ') + more;
      return `<tr><th scope="row">${when(timeMs)}</th><td>${money(value)}</td><td>${money(sold)}</td><td>${money(bought)}</td><td>${percent((sold + bought) / value, 0)}</td><td class="text">${escapeHtml(text)}</td></tr>`;
    });
  const head = ['Moved on', 'Account', 'Sold', 'Bought', 'of the account']
    .map((name) => `<th scope="col" class="number">${name}</th>`)
    .join('');
  return scrollTable(
    'Rebalancing',
    `<table><caption class="spoken">Rebalancing</caption><thead><tr>${head}<th scope="col" class="text">Holds after</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
    'tall',
  );
}

export const rebalanceNote = ({ rebalances, turnover }: PortfolioSheet): string =>
  `${plural(rebalances.length, 'time')} weights were moved; all fills together are ${count(turnover)} times the mean account value.${rebalances.length > REBALANCES_MAX ? ` Shows the newest ${REBALANCES_MAX}.` : ''}`;

export function entryTable(caption: string, counts: Readonly<Record<string, number>>): string {
  const rows = Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([reason, n]) => `<tr><th scope="row">${escapeHtml(reason)}</th><td>${count(n)}</td></tr>`);
  return `<table class="pairs figures"><caption>${caption}</caption><tbody>${rows.join('')}</tbody></table>`;
}

export const moneyTable = (flows: NonNullable<PortfolioSheet['money']>): string =>
  pairTable(
    'Paid in and out',
    [
      ['Payments', count(flows.payments)],
      ['Paid in', money(flows.paid_in)],
      ['Paid out', money(flows.paid_out)],
      ['The account ends at', money(flows.ending_value)],
      ['Profit', money(flows.profit)],
      ['Time-weighted return', percent(flows.time_weighted_return)],
      ['Money-weighted return a year', percent(flows.money_weighted_return ?? Number.NaN)],
    ],
    'figures',
  );
