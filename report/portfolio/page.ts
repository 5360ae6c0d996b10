import { comparisonScript } from '../browser-bundle.js';
import { zoomBar } from '../chart.js';
import { accountCharts, chartsData } from '../curve-data.js';
import { count, minute, plural } from '../format.js';
import { escapeHtml, page, section } from '../html.js';
import { drawdownChart, equityChart, sharpeChart, timeAxis } from '../overview.js';
import type { CurvesData } from '../page-data.js';
import { headlinePanel, metricTables, noticePanel, settingTable } from '../panels.js';
import {
  drawdownTable,
  monteCarloNote,
  monteCarloPanel,
  monthsDistribution,
  monthsTable,
  yearsChart,
} from '../risk.js';
import { heatThemes, portfolioStyle } from '../style.js';
import { checkColumns } from '../tear-sheet.js';
import { drawnCourses, exposureChart, type PortfolioSheet, profitChart, weightChart } from './charts.js';
import {
  correlationMap,
  correlationNote,
  entryTable,
  memberTable,
  moneyTable,
  rebalanceNote,
  rebalanceTable,
} from './tables.js';

/**
 * Renders a portfolio as one HTML file that needs no network. Equal input gives equal bytes.
 *
 * @throws RangeError when the columns differ in length or are empty
 */
export function renderPortfolio(sheet: PortfolioSheet): string {
  const { account, kind, members, denied, limited, definition } = sheet;
  checkColumns(account);
  const what = kind === 'members' ? 'member' : 'asset';
  return page({
    title: `${account.title}, ${plural(members.length, what)}`,
    header: header(sheet),
    main: [
      section('headline', 'At a glance', headlinePanel(account)),
      courseSections(sheet, { title: 'Account' }),
      sheet.money === null
        ? ''
        : section(
            'money',
            'Paid in and out',
            moneyTable(sheet.money),
            'Other figures and curves of the account are time-weighted: those of the initial balance alone.',
          ),
      kind === 'allocation' ? section('rebalancing', 'Rebalancing', rebalanceTable(sheet), rebalanceNote(sheet)) : '',
      members.length < 2 ? '' : section('correlation', 'Correlation', correlationMap(sheet), correlationNote(sheet)),
      Object.keys(denied).length === 0
        ? ''
        : section('denied', 'Entries that were not filled', entryTable('Entries denied', denied)),
      Object.keys(limited).length === 0
        ? ''
        : section('limited', 'Entries that limits made smaller', entryTable('Entries made smaller', limited)),
      section('drawdowns', 'Worst drawdowns', drawdownTable(account) || '<p>The account never fell below a peak.</p>'),
      section(
        'months',
        'Monthly returns',
        `${monthsTable(account)}<div class="two">${yearsChart(account)}${monthsDistribution(account)}</div>`,
        'In percent, by UTC month. A year compounds its months.',
      ),
      account.monteCarlo === null
        ? ''
        : section('luck', 'What luck may do', monteCarloPanel(account), monteCarloNote(account)),
      section('metrics', 'More metrics', metricTables(account), 'The top of the page shows the main metrics.'),
      section(
        'configuration',
        'Definition and origin',
        `<div class="two"><div><h3>Portfolio</h3><pre class="plan">${escapeHtml(JSON.stringify(definition, null, 2) ?? '')}</pre></div><div><h3>Manifest</h3>${settingTable('Manifest', account.manifest)}</div></div>`,
        'barline help NAME explains a setting; its page is docs/reference/settings.md#NAME.',
      ),
    ].join(''),
    footer: 'Times are UTC. This file is self-contained: it loads nothing.',
    style: heatThemes + portfolioStyle,
    script: comparisonScript,
    data: portfolioCurves(sheet),
  });
}

/** The account, its members and what they held over time, for every page that shows a portfolio. */
export function courseSections(
  sheet: PortfolioSheet,
  { title, note = '', more = '' }: { readonly title: string; readonly note?: string; readonly more?: string },
): string {
  const { account, kind } = sheet;
  const axis = timeAxis(account);
  return [
    section(
      'performance',
      title,
      [zoomBar, equityChart(account, axis), drawdownChart(account, axis), sharpeChart(account, axis), more].join(''),
      `${note}Held evenly: the same money in each asset at its first open, without costs, and left alone.`,
    ),
    section(
      'members',
      kind === 'members' ? 'What the members brought' : 'What the assets brought',
      profitChart(sheet, axis) + memberTable(sheet),
      'Of open and closed trades, after their fees. The deepest fall is that of the profit below its highest so far.',
    ),
    section('held', 'What was held', weightChart(sheet, axis) + exposureChart(sheet, axis)),
  ].join('');
}

function header({ account, members, kind, shared }: PortfolioSheet): string {
  const { title, interval, window, bars } = account;
  const what = plural(members.length, kind === 'members' ? 'member' : 'asset');
  const facts = `${what} on ${interval}, ${minute(window.startMs)} to ${minute(window.endMs)} UTC, ${count(bars.time.length)} times`;
  const isWhole = shared !== null && shared.startMs === window.startMs && shared.endMs === window.endMs;
  const together =
    members.length < 2 || isWhole
      ? ''
      : shared === null
        ? '; at no time do all of them trade'
        : `; all of them from ${minute(shared.startMs)} to ${minute(shared.endMs)}`;
  return `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(facts + together)}</p>\n${noticePanel(account)}`;
}

/** What the script says about the curves of `courseSections`. */
export function portfolioCurves({ account, members, gross, net }: PortfolioSheet): CurvesData {
  const axis = timeAxis(account);
  const courses = (of: 'weights' | 'profits') =>
    drawnCourses(members, of).map(
      ({ name, values }) => [name, values, of === 'weights' ? 'fraction' : 'amount'] as const,
    );
  return chartsData(axis, {
    ...accountCharts(account),
    profits: courses('profits'),
    weights: courses('weights'),
    exposure: [
      ['gross', gross, 'fraction'],
      ['net', net, 'fraction'],
    ],
  });
}
