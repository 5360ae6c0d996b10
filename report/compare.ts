import { betterSide, metricNames } from '../engine/metrics/index.js';
import { comparisonScript } from './browser-bundle.js';
import { chart, pct, zoomBar } from './chart.js';
import { growthData } from './curve-data.js';
import { day, figure, labelIn, lastValue, minute, percent, plural } from './format.js';
import { escapeHtml, numberText, page, scrollTable, section, spoken } from './html.js';
import { line, timeAxis } from './overview.js';
import type { CurvesData } from './page-data.js';
import { listDrawdowns } from './risk.js';
import { settingText, sideText } from './rules.js';
import { extent, timeTicks, valueScale } from './scale.js';
import type { Figures, SheetRule, TearSheet } from './sheet.js';
import { checkColumns } from './tear-sheet.js';

/** There are this many colours and dashes to tell runs apart. */
export const RUNS_MAX = 6;

/**
 * Renders one page with runs side by side: overlaid curves, metrics with the best of each row
 * marked, and the settings that differ.
 *
 * @throws RangeError for fewer than 1 or more than 6 runs, or columns of different lengths
 */
export function renderComparison(sheets: readonly TearSheet[]): string {
  if (sheets.length < 1 || sheets.length > RUNS_MAX) {
    throw new RangeError(`a comparison takes 1..${RUNS_MAX} runs, was ${sheets.length}`);
  }
  for (const sheet of sheets) checkColumns(sheet);
  const [drawdowns, rules, settings] = [comparedDrawdowns(sheets), comparedRules(sheets), comparedSettings(sheets)];
  const title = `Comparison of ${plural(sheets.length, 'run')}`;
  const extended = sheets.some(({ extendedMetrics }) => Object.keys(extendedMetrics).length > 0)
    ? metricTable('Further metrics', sheets, ({ extendedMetrics }) => extendedMetrics)
    : '';
  return page({
    title,
    header: `<h1>${title}</h1>`,
    main: [
      section('runs', 'Runs', runTable(sheets)),
      section(
        'curves',
        'Account value',
        zoomBar + equityOverlay(sheets),
        'Each curve is the account value divided by the initial balance of its run.',
      ),
      section(
        'metrics',
        'Metrics',
        metricTable('Metrics', sheets, ({ metrics }) => metrics) + extended,
        '★ marks the best run of a row, for metrics where higher or lower is better.',
      ),
      drawdowns.length === 0
        ? ''
        : section('drawdowns', 'Worst drawdowns', rowTable('Worst drawdowns', 'Drawdown', sheets, drawdowns)),
      rules.length === 0 ? '' : section('rules', 'Rules', rowTable('Rules that differ', 'Rule', sheets, rules)),
      section(
        'settings',
        'Differences',
        settings.length === 0
          ? '<p>All runs have the same execution settings.</p>'
          : rowTable('Settings that differ', 'Setting', sheets, settings),
        'Only execution settings that differ are listed.',
      ),
    ].join(''),
    footer: 'Times are UTC. This file is self-contained: it loads nothing.',
    script: comparisonScript,
    data: growthCurves(sheets),
  });
}

const letter = (i: number): string => String.fromCharCode(65 + i);

const headRow = (first: string, sheets: readonly TearSheet[]): string =>
  `<thead><tr><th scope="col">${first}</th>${sheets.map(({ title }, i) => `<th scope="col">${letter(i)}<small>${escapeHtml(title)}</small></th>`).join('')}</tr></thead>`;

function runTable(sheets: readonly TearSheet[]): string {
  const rows = sheets.map(({ title, asset, interval, window, trades, warnings, diagnostics }, i) => {
    const notes = [...warnings, ...(trades.length === 0 ? [`No trades. ${diagnostics.verdict ?? ''}`] : [])];
    const small = notes.map((note) => `<small>${escapeHtml(note)}</small>`).join('');
    return `<tr><th scope="row"><i class="sign run${i + 1}" aria-hidden="true" style="display:inline-block;vertical-align:middle;margin-right:8px"></i>${letter(i)}, ${escapeHtml(title)}${small}</th><td class="text">${escapeHtml(`${asset} ${interval}`)}</td><td class="text">${minute(window.startMs)} to ${minute(window.endMs)}</td></tr>`;
  });
  return scrollTable(
    'Runs',
    `<table class="pairs"><caption class="spoken">Runs</caption><thead><tr><th scope="col">Run</th><th scope="col">Market</th><th scope="col">Window, UTC</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
  );
}

/** From the first bar of any run to the last. */
function wholeSpan(sheets: readonly TearSheet[]) {
  const axes = sheets.map(timeAxis);
  return {
    startMs: Math.min(...axes.map(({ startMs }) => startMs)),
    endMs: Math.max(...axes.map(({ endMs }) => endMs)),
  };
}

const growthCurve = ({ equity, initialBalance }: TearSheet): Float64Array =>
  equity.map((value) => value / initialBalance);

const growthCurves = (sheets: readonly TearSheet[]): CurvesData =>
  growthData(
    'equity',
    wholeSpan(sheets),
    sheets.map((sheet, i) => ({ name: letter(i), time: sheet.bars.time, growth: growthCurve(sheet) })),
  );

function equityOverlay(sheets: readonly TearSheet[]): string {
  const { startMs, endMs } = wholeSpan(sheets);
  const curves = sheets.map(growthCurve);
  const scale = valueScale(...extent(...curves));
  const ends = curves.map(lastValue);
  return chart({
    id: 'equity',
    title: `Growth${scale.isLog ? ', log scale' : ''}`,
    // biome-ignore lint/style/noNonNullAssertion: each sheet has one curve, of at least one point
    alternative: `Line chart of the growth of ${plural(sheets.length, 'run')}: ${sheets.map(({ title }, i) => `${letter(i)}, ${title}, ${percent(ends[i]! - 1)}`).join('; ')}.`,
    legend: sheets.map(({ title }, i) => ({ className: `run${i + 1}`, text: `${letter(i)} ${title}` })),
    height: 'l',
    isOverTime: true,
    xTicks: timeTicks(startMs, endMs),
    yTicks: scale.ticks,
    strokes: sheets.map((sheet, i) => ({
      className: `run${i + 1}`,
      // biome-ignore lint/style/noNonNullAssertion: each sheet has one curve, of at least one point
      path: line({ time: sheet.bars.time, startMs, endMs }, scale, curves[i]!),
    })),
    marks: ends
      .map(
        (value, i) =>
          `<text class="end-label run${i + 1}" x="100%" dx="${5 + (i % 2) * 10}" y="${pct(1 - scale.at(value))}" dy=".35em">${letter(i)}</text>`,
      )
      .join(''),
  });
}

/**
 * Runs with the best value of a row. Tied runs all count; the set is empty if every run ties or the
 * metric has no better side.
 */
function bestRuns(name: string, values: readonly (number | null)[]): ReadonlySet<number> {
  const metric = metricNames.find((one) => one === name); // extended metrics have no better side
  const better = metric === undefined ? 'neither' : betterSide(metric);
  const known = values.filter((value): value is number => value !== null && !Number.isNaN(value));
  if (better === 'neither' || known.length < 2 || known.every((value) => value === known[0])) return new Set();
  const best = better === 'higher' ? Math.max(...known) : Math.min(...known);
  return new Set(values.flatMap((value, i) => (value === best ? [i] : [])));
}

function metricTable(caption: string, sheets: readonly TearSheet[], of: (sheet: TearSheet) => Figures): string {
  const known: Figures = Object.assign({}, ...sheets.map(of));
  const names = Object.keys(known);
  const rows = names.map((name) => {
    const figures = sheets.map((sheet) => of(sheet)[name] ?? { value: null, unit: '' });
    const best = bestRuns(
      name,
      figures.map(({ value, isAboveAny }) => (isAboveAny === true ? Number.POSITIVE_INFINITY : value)),
    );
    const cells = figures.map((value, i) =>
      best.has(i)
        ? `<td class="best">★${spoken(' best')} ${numberText(figure(value))}</td>`
        : `<td>${numberText(figure(value))}</td>`,
    );
    return `<tr><th scope="row">${escapeHtml(labelIn(known, name))}</th>${cells.join('')}</tr>`;
  });
  return scrollTable(
    caption,
    `<table class="pairs runs"><caption>${caption}</caption>${headRow('Metric', sheets)}<tbody>${rows.join('\n')}</tbody></table>`,
  );
}

function rowTable(caption: string, first: string, sheets: readonly TearSheet[], rows: readonly ComparedRow[]): string {
  const lines = rows.map(
    ([name, texts]) =>
      `<tr><th scope="row">${escapeHtml(name)}</th>${texts.map((text) => `<td><pre>${escapeHtml(text)}</pre></td>`).join('')}</tr>`,
  );
  return scrollTable(
    caption,
    `<table class="pairs runs"><caption class="spoken">${caption}</caption>${headRow(first, sheets)}<tbody>${lines.join('\n')}</tbody></table>`,
  );
}

/** A line of a comparison: what it is, and its text in each run. */
export type ComparedRow = readonly [label: string, texts: readonly string[]];

const NOTHING = '-';

const isDiffering = ([, texts]: ComparedRow): boolean => texts.some((text) => text !== texts[0]);

/** Leaves of values by their places, such as `members[0].weight`; the rows in which the runs differ. */
function differingLeaves(values: readonly unknown[]): ComparedRow[] {
  const leaves = values.map((value) => new Map(leavesIn(value, '')));
  const places = [...new Set(leaves.flatMap((one) => [...one.keys()]))];
  return places
    .map((place): ComparedRow => [place, leaves.map((one) => one.get(place) ?? NOTHING)])
    .filter(isDiffering);
}

function leavesIn(value: unknown, place: string): (readonly [place: string, text: string])[] {
  if (value === undefined) return [];
  if (value === null || typeof value !== 'object' || value instanceof Map) return [[place, settingText(value)]];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([key, one]) =>
    leavesIn(one, isList ? `${place}[${key}]` : place === '' ? key : `${place}.${key}`),
  );
}

/** The rules in which runs differ: rules of the sides of strategies, and places of portfolios. */
export function comparedRules(sheets: readonly TearSheet[]): ComparedRow[] {
  const row = (label: string, rules: (sheet: TearSheet) => readonly SheetRule[] | undefined): ComparedRow => [
    label,
    sheets.map((sheet) => sideText(rules(sheet) ?? []) || NOTHING),
  ];
  const sides = [
    row('enters', ({ rules }) => rules.entry),
    row('leaves', ({ rules }) => rules.exit),
    row('sells short', ({ rules }) => rules.shortEntry),
    row('buys back', ({ rules }) => rules.shortExit),
  ];
  return [...sides.filter(isDiffering), ...differingLeaves(sheets.map(({ definition }) => definition))];
}

/** The settings in which runs differ, those inside of others by their places. */
export const comparedSettings = (sheets: readonly TearSheet[]): ComparedRow[] =>
  differingLeaves(sheets.map(({ execution }) => execution));

const DRAWDOWNS_COMPARED = 3;

/** The deepest falls of each run, with their days. */
export function comparedDrawdowns(sheets: readonly TearSheet[]): ComparedRow[] {
  const falls = sheets.map(listDrawdowns);
  const count = Math.min(DRAWDOWNS_COMPARED, Math.max(...falls.map(({ length }) => length)));
  return Array.from({ length: count }, (_, i) => [
    `drawdown ${i + 1}`,
    falls.map((own) => {
      const fall = own[i];
      if (fall === undefined) return NOTHING;
      const { depth, peakMs, recoveredMs } = fall;
      return `${percent(depth)} ${day(peakMs)} to ${recoveredMs === null ? 'the end' : day(recoveredMs)}`;
    }),
  ]);
}
