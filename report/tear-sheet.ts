import { tearSheetScript } from './browser-bundle.js';
import { zoomBar } from './chart.js';
import { closeupData, closeupFrame } from './closeup.js';
import { curvesData } from './curve-data.js';
import { distributionChart, exitTable } from './distribution.js';
import { count, minute, plural, priceDigits } from './format.js';
import { escapeHtml, page, section } from './html.js';
import { type Axis, drawdownChart, equityChart, sharpeChart, timeAxis } from './overview.js';
import type { TearSheetData } from './page-data.js';
import { funnelPanel, headlinePanel, metricTables, noticePanel, settingTable } from './panels.js';
import { MARKED_TRADES_MAX, marksData, priceCharts } from './price.js';
import {
  drawdownTable,
  monteCarloNote,
  monteCarloPanel,
  monthsDistribution,
  monthsTable,
  riskCharts,
  yearsChart,
} from './risk.js';
import { otherSettings, strategyPanel } from './rules.js';
import type { TearSheet } from './sheet.js';
import { hasSides, sidesPanel } from './sides.js';
import { TRADES_MAX, tradeColumns, tradesTable } from './trades.js';

/**
 * Renders a run as one HTML file that needs no network. Equal input gives equal bytes. Every bar
 * contributes to the charts, however many there are; the cost is a few passes over the columns.
 *
 * @throws RangeError when the columns differ in length or are empty
 */
export function renderTearSheet(sheet: TearSheet): string {
  checkColumns(sheet);
  const { title, asset, interval, trades, bars } = sheet;
  const axis = timeAxis(sheet);
  // biome-ignore lint/style/noNonNullAssertion: a sheet has bars
  const digits = priceDigits(bars.close[0]!);
  const hasTrades = trades.length > 0;
  return page({
    title: `${title}, ${asset} ${interval}`,
    header: header(sheet),
    main: [
      section('headline', 'At a glance', headlinePanel(sheet)),
      section('strategy', 'The strategy', strategyPanel(sheet)),
      section('performance', 'Performance', performancePanel(sheet, axis)),
      hasSides(sheet) ? section('sides', 'Longs and shorts', sidesPanel(sheet, axis)) : '',
      section('drawdowns', 'Worst drawdowns', drawdownTable(sheet) || '<p>The account never fell below a peak.</p>'),
      section(
        'months',
        'Monthly returns',
        `${monthsTable(sheet)}<div class="two">${yearsChart(sheet)}${monthsDistribution(sheet)}</div>`,
        'In percent, by UTC month. A year compounds its months.',
      ),
      section(
        'market',
        'Price and trades',
        priceCharts(sheet, axis) + (hasTrades ? closeupFrame : ''),
        priceNote(trades.length),
      ),
      section('why', 'From signals to fills', funnelPanel(sheet)),
      hasTrades ? section('outcomes', 'Outcomes', `${distributionChart(trades)}${exitTable(trades)}`) : '',
      section(
        'trades',
        'Trades',
        hasTrades ? tradesTable(trades, digits) + printedNote(trades.length) : '<p>The strategy made no trades.</p>',
        tradesNote(trades.length),
      ),
      sheet.monteCarlo === null
        ? ''
        : section('luck', 'What luck may do', monteCarloPanel(sheet), monteCarloNote(sheet)),
      section('metrics', 'More metrics', metricTables(sheet), 'The top of the page shows the main metrics.'),
      section(
        'configuration',
        'Defaults and origin',
        `<div class="two">${settingTable('Execution settings at their defaults', otherSettings(sheet))}${settingTable('Manifest', sheet.manifest)}</div>`,
        'barline help NAME explains a setting; its page is docs/reference/settings.md#NAME.',
      ),
    ].join(''),
    footer: 'Times are UTC. This file is self-contained: it loads nothing.',
    script: tearSheetScript,
    data: {
      curves: curvesData(sheet, axis),
      trades: hasTrades
        ? { digits, columns: tradeColumns(sheet), closeup: closeupData(sheet), marks: marksData(sheet) }
        : null,
    } satisfies TearSheetData,
  });
}

const performancePanel = (sheet: TearSheet, axis: Axis): string =>
  [
    zoomBar,
    equityChart(sheet, axis),
    drawdownChart(sheet, axis),
    sharpeChart(sheet, axis),
    riskCharts(sheet, axis),
  ].join('');

export function checkColumns({ bars, equity, rollingSharpe }: TearSheet): void {
  const length = bars.time.length;
  if (length === 0) throw new RangeError('a tear sheet needs at least one bar');
  const { time, open, high, low, close } = bars;
  const columns = { time, open, high, low, close, equity, rollingSharpe: rollingSharpe?.values ?? equity };
  for (const [name, column] of Object.entries(columns)) {
    if (column.length !== length) throw new RangeError(`${name} must have ${length} values, had ${column.length}`);
  }
}

function header(sheet: TearSheet): string {
  const { title, asset, interval, window, bars } = sheet;
  const facts = `${asset} ${interval}, ${minute(window.startMs)} to ${minute(window.endMs)} UTC, ${plural(bars.time.length, 'bar')}`;
  return `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(facts)}</p>\n${noticePanel(sheet)}`;
}

const priceNote = (trades: number): string =>
  trades > MARKED_TRADES_MAX
    ? `${count(trades)} trades are too many to mark one by one; the bars below the price chart count them, and zooming in shows each.`
    : '';

/** As many as the style sheet leaves on paper. */
const TRADES_PRINTED = 20;

const printedNote = (trades: number): string =>
  trades > TRADES_PRINTED
    ? `<p class="note paper-only">Printed: ${TRADES_PRINTED} of ${count(trades)} trades. The page on the screen has all of its trades.</p>`
    : '';

const tradesNote = (trades: number): string =>
  trades > TRADES_MAX ? `The page holds the first ${count(TRADES_MAX)} of ${count(trades)} trades.` : '';
