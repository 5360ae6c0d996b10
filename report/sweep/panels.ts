import { byMemberText } from '../../engine/portfolio/index.js';
import { type Assessment, datasetName, type WalkForward } from '../../engine/sweep/index.js';
import { pct } from '../chart.js';
import { count, label, NONE, percent, plural, signed } from '../format.js';
import { escapeHtml, numberText, pairTable, scrollTable } from '../html.js';
import { ruleList, sideText } from '../rules.js';
import { timeTicks } from '../scale.js';
import type { SheetRule } from '../sheet.js';
import { listFindings, type MarketHeld, meanMetric, walkForwardWords } from './findings.js';
import {
  findNewestChoice,
  hasFewTrades,
  isLowBetter,
  metricText,
  metricWords,
  type NewestChoice,
  walkForwardWinner,
} from './metric.js';
import type { SheetDataset, SheetRun, SweepSheet } from './sheet.js';
import { verdictText } from './verdict.js';

const tile = (title: string, value: string, small: string): string =>
  `<div><dt>${escapeHtml(title)}</dt><dd><span>${numberText(value)}</span><small>${escapeHtml(small)}</small></dd></div>`;

/** How many runs finished, how many of them traded, and which one leads. */
export function glancePanel(sheet: SweepSheet): string {
  const { total, done, counts, by, minTrades, best } = sheet;
  const walked = walkForwardWinner(sheet);
  const leader = best[0];
  const tiles = [
    tile('Runs', count(done), done === total ? 'all of the plan' : `of ${count(total)}; the sweep was stopped`),
    tile('Traded', count(counts.ok), `${count(counts.no_trades)} did not trade`),
    tile('Skipped', count(counts.skipped), 'ruled out before they ran'),
    tile('Failed', count(counts.error), counts.error === 0 ? 'none' : 'see the errors above'),
  ];
  if (walked !== null) tiles.push(...walkForwardTiles(walked, marketWords(sheet)));
  else if (leader !== undefined) {
    const { metrics } = leader;
    const money = (value: number | null | undefined) => metricText('total_return', value);
    tiles.push(
      tile(
        `Best ${metricWords(label(by))}`,
        metricText(by, metrics[by]),
        `run ${count(leader.run)}, ${leader.dataset}`,
      ),
      tile('Its return', money(metrics.total_return), `drawdown ${money(metrics.max_drawdown)}`),
      tile(
        'Its trades',
        metricText('total_trades', metrics.total_trades),
        `${hasFewTrades(leader, minTrades) ? `fewer than ${count(minTrades)}; ` : ''}won ${money(metrics.win_rate)}`,
      ),
      tile(
        'Its fees',
        metricText('total_fees', metrics.total_fees),
        `${costText(leader.feePct)} fee, ${costText(leader.slippagePct)} slippage a leg`,
      ),
    );
  }
  return `<dl class="headline">${tiles.join('\n')}</dl>`;
}

/** What the market of a sweep is called. */
export const marketWords = ({ portfolio }: SweepSheet): MarketHeld =>
  portfolio === undefined ? 'the asset' : 'the assets evenly';

/**
 * What the choices earned on the days after each of them, and the newest choice, which a trader
 * would use next.
 */
function walkForwardTiles({ run, walk }: NewestChoice, market: MarketHeld): string[] {
  const { folds, sharpe, totalReturn, marketReturn, marketSharpe, profitableFolds, efficiency, metric } = walk;
  return [
    tile(
      'Sharpe ratio out of sample',
      metricText('sharpe_ratio', sharpe),
      `${plural(folds.length, 'test window')} joined; ${metricText('sharpe_ratio', marketSharpe)} holding ${market}`,
    ),
    tile(
      'Return out of sample',
      signed(totalReturn, metricText('total_return', totalReturn)),
      `${percent(profitableFolds, 0)} of ${plural(folds.length, 'fold')} made a profit; ${metricText('total_return', marketReturn)} holding ${market}`,
    ),
    isLowBetter(metric)
      ? tile(
          `${label(metric)} out of sample`,
          meanMetric(walk, 'outOfSample'),
          `mean; ${meanMetric(walk, 'inSample')} in sample`,
        )
      : tile(
          'Kept out of sample',
          efficiency === null ? NONE : percent(efficiency, 0),
          `of the in-sample ${metricWords(label(metric))}`,
        ),
    tile('Newest choice', `run ${count(run.run)}`, `${run.dataset}, ${trainingWindow(walk)}`),
  ];
}

/** Names the training window of the newest choice. */
function trainingWindow({ folds }: WalkForward): string {
  const newest = folds.at(-1);
  return newest === undefined ? '' : `chosen on ${newest.trainFrom} to ${newest.trainTo}`;
}

export const settingsText = (settings: Readonly<Record<string, unknown>>): string =>
  Object.entries(settings)
    .map(([key, value]) => `${key} ${value === null ? 'none' : String(value)}`)
    .join(', ');

/** The leader of a dataset in words. */
export function leaderPanel(dataset: SheetDataset, { by, minTrades, portfolio }: SweepSheet): string {
  const { name, leader } = dataset;
  if (leader === null) return `<p>No run traded on ${escapeHtml(name)}.</p>`;
  const settings = settingsText(leader.settings);
  const terms = [
    ...(leader.short === undefined
      ? []
      : [
          ['Enters short when', rulesText(leader.short.entry)],
          ['Leaves short when', rulesText(leader.short.exit)],
        ]),
    ...(settings === '' ? [] : [['With', settings]]),
  ];
  const more = terms.map(([term = '', text = '']) => `<dt>${term}</dt><dd>${escapeHtml(text)}</dd>`).join('');
  const { metrics } = leader;
  const figures = (['total_return', 'max_drawdown', 'total_trades'] as const).map(
    (key) => `${metricWords(label(key))} ${metricText(key, metrics[key])}`,
  );
  const value = `${metricWords(label(by))} ${metricText(by, metrics[by])}`;
  const choice = findNewestChoice(dataset);
  const head = choice === null ? value : trainingWindow(choice.walk);
  const few = hasFewTrades(leader, minTrades)
    ? `; no run made the ${plural(minTrades, 'trade')} that a leader needs`
    : '';
  const note = (choice === null ? figures.join(', ') : `In sample: ${[value, ...figures].join(', ')}`) + few;
  return `<div class="leader"><h3>${escapeHtml(name)}: run ${count(leader.run)}, ${escapeHtml(head)}</h3>
<p class="note">${escapeHtml(note)}</p>
${portfolio === undefined ? ruleList(leader.entry, leader.exit, more) : `<dl class="rules">${more}</dl>`}
${saveButton(dataset)}</div>`;
}

/** Saves the strategy or portfolio of the leader, for the commands and calls that run one. */
function saveButton({ definition, leader }: SheetDataset): string {
  if (definition === null || leader === null) return '';
  const { strategy, portfolio, interval, start, end } = definition;
  const json = Buffer.from(`${JSON.stringify(strategy ?? portfolio, null, 2)}\n`).toString('base64');
  const file = `run-${leader.run}.json`;
  const command = portfolio === undefined ? `backtest --strategy ${file} --interval ${interval}` : `portfolio ${file}`;
  return `<p class="save"><a class="control" download="${file}" href="data:application/json;base64,${json}">Save its ${portfolio === undefined ? 'strategy' : 'definition'}</a> <code>${escapeHtml(`barline ${command} --start ${start} --end ${end}`)}</code></p>`;
}

const rulesText = (rules: readonly SheetRule[]): string =>
  sideText(rules) || 'the stop or target is hit; there is no exit rule';

/** The verdict first, then the findings with their figures. */
export function assessmentPanel(one: Assessment, isNamed: boolean): string {
  const rows = listFindings(one).map(({ question, answer, figures }) => {
    const list = figures.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${numberText(value)}</dd></div>`);
    return `<div class="finding"><h3>${escapeHtml(question)}</h3><p>${escapeHtml(answer)}</p><dl>${list.join('')}</dl></div>`;
  });
  const name = isNamed ? `<h3 class="dataset">${escapeHtml(datasetName(one))}</h3>` : '';
  return `${name}<p class="verdict">${escapeHtml(verdictText(one))}</p><div class="findings">${rows.join('\n')}</div>`;
}

const costText = (cost: SheetRun['feePct'], digits?: number): string =>
  byMemberText(cost, (value) => percent(value, digits));

/** What trading costs the leaders, and what remains at other costs. */
export function costTable(datasets: SweepSheet['datasets']): string {
  const tables = datasets.flatMap(({ name, leader, honesty }) => {
    if (leader === null) return [];
    const { feePct, slippagePct, metrics } = leader;
    const stress = (honesty?.costStress ?? []).map(
      ({ factor, sharpe, totalReturn }) =>
        [
          `Sharpe ratio and return at ${factor} times the costs`,
          `${metricText('sharpe_ratio', sharpe)}, ${percent(totalReturn, 1)}`,
        ] as const,
    );
    const rows = [
      ['Fee a leg', costText(feePct, 3)],
      ['Slippage a leg', costText(slippagePct, 3)],
      ['Trades', metricText('total_trades', metrics.total_trades)],
      ['Fees paid', metricText('total_fees', metrics.total_fees)],
      ['Profit and loss after costs', metricText('net_pnl', metrics.net_pnl)],
      ...stress,
    ] as const;
    return [
      `<div><h3>${escapeHtml(name)}, run ${count(leader.run)}</h3>${pairTable(`Costs of run ${leader.run}`, rows, 'figures')}</div>`,
    ];
  });
  return tables.length === 0
    ? '<p>No run traded, so there were no costs.</p>'
    : `<div class="two">${tables.join('\n')}</div>`;
}

const DAY_MS = 86_400_000;

/** Training and test windows on one time axis, with the result of each leader in both. */
export function walkForwardPanel(walk: WalkForward, name: string, market: MarketHeld): string {
  const { folds, metric: by } = walk;
  if (folds.length === 0) return '<p>There are no folds.</p>';
  const start = (date: string) => Date.parse(date);
  const end = (date: string) => Date.parse(date) + DAY_MS; // the window includes its last day
  const from = Math.min(...folds.map(({ trainFrom }) => start(trainFrom)));
  const to = Math.max(...folds.map(({ testTo }) => end(testTo)));
  const at = (ms: number) => (ms - from) / (to - from);
  const ticks = timeTicks(from, to)
    .map(
      ({ at: place, label: text }, i) =>
        `<span style="left:${pct(place)}"${i % 2 === 1 ? ' class="odd"' : ''}>${escapeHtml(text)}</span>`,
    )
    .join('');
  const bar = (className: string, first: string, last: string) =>
    `<i class="${className}" style="left:${pct(at(start(first)))};width:${pct(at(end(last)) - at(start(first)))}"></i>`;
  const rows = folds.map((fold, i) => {
    const { trainFrom, trainTo, testFrom, testTo } = fold;
    const story = `train ${trainFrom} to ${trainTo}, test ${testFrom} to ${testTo}`;
    const outcome = isLowBetter(by) ? '' : ` class="${(fold.outOfSample ?? 0) > 0 ? 'gain' : 'loss'}"`;
    const mark = fold.trainTrades < walk.minTrades ? '*' : '';
    return `<tr><th scope="row">${i + 1}</th><td class="span" title="${escapeHtml(story)}"><span class="spoken">${escapeHtml(story)}</span><span class="strip">${bar('train', trainFrom, trainTo)}${bar('test', testFrom, testTo)}</span></td><td>${numberText(metricText(by, fold.inSample))}</td><td${outcome}>${numberText(metricText(by, fold.outOfSample))}</td><td>${numberText(percent(fold.totalReturn, 1))}</td><td>${numberText(percent(fold.marketReturn, 1))}</td><td>${count(fold.trades)}</td><td>${count(fold.run)}${mark}</td></tr>`;
  });
  const metric = escapeHtml(label(by));
  const table = `<table class="folds"><caption class="spoken">Folds of the walk-forward on ${escapeHtml(name)}</caption><thead><tr><th scope="col">Fold</th><th scope="col" class="span"><span class="axis">${ticks}</span><span class="spoken">Windows</span></th><th scope="col">${metric}<small>in sample</small></th><th scope="col">${metric}<small>out of sample</small></th><th scope="col">Return<small>out of sample</small></th><th scope="col">Market<small>held as long</small></th><th scope="col">Trades</th><th scope="col">Run</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  return `<h3 class="dataset">${escapeHtml(name)}</h3><p class="verdict">${escapeHtml(walkForwardWords(walk, market))}</p>
<ul class="legend"><li><i class="sign train" aria-hidden="true"></i>training window</li><li><i class="sign test" aria-hidden="true"></i>test window</li></ul>
${scrollTable('Walk-forward', table)}`;
}
