import { datasetName, leadersFirst } from '../../engine/sweep/index.js';
import { sweepScript } from '../browser-bundle.js';
import { zoomBar } from '../chart.js';
import { accountCharts, chartsData } from '../curve-data.js';
import { count, label, plural, priceDigits } from '../format.js';
import { escapeHtml, page, section } from '../html.js';
import { drawdownChart, equityChart, sharpeChart, timeAxis } from '../overview.js';
import type { CurvesData, SweepPageData } from '../page-data.js';
import { settingTable } from '../panels.js';
import type { PortfolioSheet } from '../portfolio/charts.js';
import { courseSections, portfolioCurves } from '../portfolio/page.js';
import type { TearSheet } from '../sheet.js';
import { portfolioStyle, sweepStyle } from '../style.js';
import { tradeColumns, tradesTable } from '../trades.js';
import { datasetNote, datasetTable, folded } from './assets.js';
import { bestTable } from './best-runs.js';
import { metricHistogram } from './distribution.js';
import { coordinatesFrame, exploreData, heatMap, lackOfParameters } from './heat-map.js';
import { betterWords, metricWords, walkForwardWinner } from './metric.js';
import { assessmentPanel, costTable, glancePanel, leaderPanel, marketWords, walkForwardPanel } from './panels.js';
import { groupParameters, PARAMETERS_MAX } from './parameters.js';
import type { Explored, SweepSheet } from './sheet.js';

/** Datasets up to which each has its line above everything. */
const FACTS_MAX = 6;

/** Renders a sweep as one HTML file that needs no network. Equal input gives equal bytes. */
export function renderSweep(given: SweepSheet): string {
  const sheet = { ...given, datasets: bestFirst(given.datasets) };
  const { title, by, minTrades, datasets, explored, best, portfolio, account, configuration, manifest } = sheet;
  const parameters = explored === null ? [] : groupParameters(explored);
  const isWalked = walkForwardWinner(sheet) !== null;
  const judged = datasets.flatMap(({ honesty }) => (honesty === null ? [] : [honesty]));
  const walked = judged.flatMap((one) =>
    one.walkForward == null
      ? []
      : [
          {
            name: datasetName(one),
            html: walkForwardPanel(one.walkForward, datasetName(one), marketWords(sheet)),
          },
        ],
  );
  const leader = isWalked ? 'newest choice' : 'leader';
  return page({
    title: `${title}, sweep of ${plural(sheet.total, 'run')}`,
    header: renderHeader(sheet),
    main: [
      section('headline', 'At a glance', glancePanel(sheet)),
      datasets.length < 2 ? '' : section('datasets', 'Datasets', datasetTable(sheet), datasetNote(by, minTrades)),
      section('leaders', `The ${leader}${datasets.length > 1 ? 's' : ''}`, renderLeaders(sheet)),
      portfolio === undefined ? '' : leadingPortfolio(portfolio, leader),
      account === null ? '' : accountSections(account, leader),
      walked.length === 0
        ? ''
        : section(
            'walk-forward',
            'Chosen on one window, tested on the next',
            folded(walked),
            'This section judges the sweep. The pictures and tables below show the newest training window, in sample.',
          ),
      section(
        'honesty',
        'How far to trust the result',
        judged.length === 0
          ? '<p>No run traded, so there is nothing to judge.</p>'
          : folded(
              judged.map((one) => ({
                name: datasetName(one),
                html: assessmentPanel(one, judged.length > 1),
              })),
            ),
        judged.length === 0
          ? ''
          : 'The best of many tries owes part of its result to luck. These figures estimate how much.',
      ),
      renderDistributions(sheet, isWalked),
      explored === null ? '' : renderExploration(explored, parameters, sheet, best[0]?.run),
      section(
        'best',
        'Best runs',
        bestTable(sheet),
        best.length === 0
          ? ''
          : `The best ${count(best.length)} by ${metricWords(label(by))}; ${betterWords(by)}. Runs with fewer than ${plural(minTrades, 'trade')} rank after all others, and a * marks them. Click a heading to sort.`,
      ),
      section('costs', `Costs of the ${leader}${datasets.length > 1 ? 's' : ''}`, renderCosts(datasets)),
      section(
        'configuration',
        'Configuration and origin',
        `<div class="two"><div><h3>Plan</h3><pre class="plan">${escapeHtml(JSON.stringify(configuration, null, 2) ?? '')}</pre></div><div><h3>Manifest</h3>${settingTable('Manifest', manifest)}</div></div>`,
        'barline help NAME explains a setting; its page is docs/reference/settings.md#NAME.',
      ),
    ].join(''),
    footer: 'Times are UTC. This file is self-contained: it loads nothing.',
    style: portfolio === undefined ? sweepStyle : sweepStyle + portfolioStyle,
    script: sweepScript,
    data: {
      sweep: explored === null || parameters.length === 0 ? null : exploreData(explored, parameters, minTrades),
      curves: account !== null ? accountCurves(account) : portfolio === undefined ? null : portfolioCurves(portfolio),
      trades: account === null || account.trades.length === 0 ? null : leaderTrades(account),
    } satisfies SweepPageData,
  });
}

/** The account of the run that leads, over the days that it was chosen on, and its trades. */
function accountSections(account: TearSheet, leader: string): string {
  const axis = timeAxis(account);
  const { asset, interval, trades } = account;
  const course = section(
    'performance',
    `Account of the ${leader}`,
    [zoomBar, equityChart(account, axis), drawdownChart(account, axis), sharpeChart(account, axis)].join(''),
    `${account.title} on ${asset} ${interval}. In sample: it was chosen on these days.`,
  );
  if (trades.length === 0) return course;
  const table = tradesTable(trades, sheetDigits(account));
  return course + section('trades', `Trades of the ${leader}`, table, 'Click a heading to sort.');
}

const sheetDigits = ({ bars }: TearSheet): number => priceDigits(bars.close[0] ?? 0);

const leaderTrades = (account: TearSheet) => ({ digits: sheetDigits(account), columns: tradeColumns(account) });

function accountCurves(account: TearSheet): CurvesData {
  const axis = timeAxis(account);
  return chartsData(axis, accountCharts(account));
}

/** The portfolio that leads, over the days that it was chosen on. */
function leadingPortfolio(sheet: PortfolioSheet, leader: string): string {
  const json = escapeHtml(JSON.stringify(sheet.definition, null, 2) ?? '');
  return courseSections(sheet, {
    title: `Account of the ${leader}`,
    note: 'In sample: it was chosen on these days. ',
    more: `<details class="fold"><summary>Its definition, for barline portfolio</summary><pre class="plan">${json}</pre></details>`,
  });
}

function renderDistributions({ datasets, by }: SweepSheet, isWalked: boolean): string {
  const shown = folded(
    datasets
      .map((dataset, i) => ({ name: dataset.name, html: metricHistogram(dataset, by, `distribution${i}`) }))
      .filter(({ html }) => html !== ''),
  );
  if (shown === '') return section('distribution', 'All runs', '<p>No run traded.</p>', '');
  const counted = `Counts every run${isWalked ? ' of the newest training window' : ''} that traded.`;
  const luck = by === 'sharpe_ratio' ? ' The best expected by luck is estimated from daily returns.' : '';
  return section('distribution', 'All runs', shown, counted + luck);
}

/**
 * The runs by parameter: two at a time in the heat map, all together in the parallel coordinates.
 */
function renderExploration(
  explored: Explored,
  parameters: ReturnType<typeof groupParameters>,
  { by, minTrades }: SweepSheet,
  leaderRun: number | undefined,
): string {
  const remark = sampleNote(explored);
  const map =
    parameters.length < 2
      ? section('map', 'Heat map', `<p>${escapeHtml(lackOfParameters(parameters))}</p>`, '')
      : section(
          'map',
          'Heat map',
          heatMap(explored, parameters, minTrades, leaderRun),
          `Any two parameters against each other. It starts with two that the best run has and that explain much of the ${metricWords(label(by))}. The best run of a cell has at least ${plural(minTrades, 'trade')}; a * marks a cell without such a run, which has no colour while others have one. ${remark}`,
        );
  if (parameters.length === 0) return map;
  const parallel = section(
    'parallel',
    'All parameters at once',
    coordinatesFrame(explored, parameters),
    `Each line is a run, better runs on top. Drag along an axis, or use the lists, to keep only the runs between two values. ${remark}${parameters.length === PARAMETERS_MAX ? ` The page shows the ${PARAMETERS_MAX} parameters that explain the most.` : ''}`,
  );
  return map + parallel;
}

function renderLeaders(sheet: SweepSheet): string {
  const parts = sheet.datasets.map((dataset) => ({ name: dataset.name, html: leaderPanel(dataset, sheet) }));
  return parts.length <= 2 ? `<div class="two">${parts.map(({ html }) => html).join('\n')}</div>` : folded(parts);
}

/** Beside each other, or of many datasets one after the other. */
function renderCosts(datasets: SweepSheet['datasets']): string {
  const led = datasets.filter(({ leader }) => leader !== null);
  if (led.length <= 3) return costTable(datasets);
  return folded(led.map((dataset) => ({ name: dataset.name, html: costTable([dataset]) })));
}

/** By the leader, the best first; in the order of the plan where no run traded. */
function bestFirst(datasets: SweepSheet['datasets']): SweepSheet['datasets'] {
  const judged = datasets.flatMap((dataset) =>
    dataset.honesty === null ? [] : [{ dataset, leader: dataset.honesty.leader }],
  );
  const ranked = leadersFirst(judged).map(({ dataset }) => dataset);
  return [...ranked, ...datasets.filter(({ honesty }) => honesty === null)];
}

function renderHeader({ title, datasets, done, total, errors, warnings, counts, madeOf }: SweepSheet): string {
  const list = datasets.map(
    ({ name, startDate, endDate, bars }) =>
      `<li>${escapeHtml(`${name}, ${startDate} to ${endDate}, ${plural(bars, 'bar')}`)}</li>`,
  );
  const notes = [
    ...(done < total ? [`The sweep was stopped: ${count(total - done)} of ${plural(total, 'run')} are missing.`] : []),
    ...(done > 0 && counts.skipped === done
      ? ['All runs were skipped: the pre-filter or the sieve ruled them out.']
      : []),
    ...errors.map((error) => `${plural(error.count, 'run')} failed: ${error.message}`),
    ...warnings.filter((warning) => !madeOf.includes(warning)),
  ];
  const notice =
    notes.length === 0
      ? ''
      : `<div class="notice"><strong>Warnings</strong><ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul></div>`;
  const facts = `<ul class="facts">${list.join('')}</ul>`;
  const made = madeOf.map((words) => `<li>${escapeHtml(words)}</li>`).join('');
  const shown =
    list.length <= FACTS_MAX
      ? facts
      : `<details><summary>${plural(list.length, 'dataset')}</summary>${facts}</details>`;
  return `<h1>${escapeHtml(title)}</h1>\n${shown}${made === '' ? '' : `<ul class="facts made-of">${made}</ul>`}\n${notice}`;
}

/** Says which runs the pictures show if not all fit. */
function sampleNote({ runs, runCount, bestCount }: Explored): string {
  if (runs.length === runCount) return '';
  return `Shows ${count(runs.length)} of ${count(runCount)} runs: the best ${count(bestCount)}, and others spread evenly over the sweep.`;
}
