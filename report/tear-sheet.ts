import { tearSheetScript } from './browser-bundle.js';
import { closeupData, closeupFrame } from './closeup.js';
import { distributionChart, exitTable } from './distribution.js';
import { count, minute, plural, priceDigits } from './format.js';
import { escapeHtml, page, section } from './html.js';
import { monthsTable } from './months.js';
import { axisOf, drawdownChart, equityChart, sharpeChart } from './overview.js';
import { funnelPanel, headlinePanel, metricTables, noticePanel, settingTable } from './panels.js';
import { MARKED_TRADES_MAX, priceCharts } from './price.js';
import { otherSettings, strategyPanel } from './rules.js';
import type { TearSheet } from './sheet.js';
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
  const axis = axisOf(sheet);
  // biome-ignore lint/style/noNonNullAssertion: a sheet has bars
  const digits = priceDigits(bars.close[0]!);
  const hasTrades = trades.length > 0;
  return page({
    title: `${title}, ${asset} ${interval}`,
    header: headerOf(sheet),
    main: [
      section('headline', 'At a glance', headlinePanel(sheet)),
      section('strategy', 'The strategy', strategyPanel(sheet)),
      section(
        'performance',
        'Performance',
        [equityChart(sheet, axis), drawdownChart(sheet, axis), sharpeChart(sheet, axis)].join(''),
      ),
      section(
        'months',
        'Monthly returns',
        monthsTable(sheet),
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
        hasTrades ? tradesTable(trades, digits) : '<p>The strategy made no trades.</p>',
        tradesNote(trades.length),
      ),
      section('metrics', 'More metrics', metricTables(sheet), 'The top of the page shows the main metrics.'),
      section(
        'configuration',
        'Defaults and origin',
        `<div class="two">${settingTable('Execution settings at their defaults', otherSettings(sheet))}${settingTable('Manifest', sheet.manifest)}</div>`,
      ),
    ].join(''),
    footer: 'Times are UTC. This file is self-contained: it loads nothing.',
    script: tearSheetScript,
    data: hasTrades ? { digits, columns: tradeColumns(sheet), closeup: closeupData(sheet) } : null,
  });
}

export function checkColumns({ bars, equity, rollingSharpe }: TearSheet): void {
  const length = bars.time.length;
  if (length === 0) throw new RangeError('a tear sheet needs at least one bar');
  const { time, open, high, low, close } = bars;
  const columns = { time, open, high, low, close, equity, rollingSharpe: rollingSharpe?.values ?? equity };
  for (const [name, column] of Object.entries(columns)) {
    if (column.length !== length) throw new RangeError(`${name} must have ${length} values, had ${column.length}`);
  }
}

function headerOf(sheet: TearSheet): string {
  const { title, asset, interval, window, bars } = sheet;
  const facts = `${asset} ${interval}, ${minute(window.startMs)} to ${minute(window.endMs)} UTC, ${plural(bars.time.length, 'bar')}`;
  return `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(facts)}</p>\n${noticePanel(sheet)}`;
}

const priceNote = (trades: number): string =>
  trades > MARKED_TRADES_MAX
    ? `${count(trades)} trades are too many to mark one by one; the bars below the price chart count them.`
    : '';

const tradesNote = (trades: number): string =>
  trades > TRADES_MAX ? `The page holds the first ${count(TRADES_MAX)} of ${count(trades)} trades.` : '';
