// biome-ignore-all lint/style/noNonNullAssertion: codes, groups and cells come from the same runs and fit together
import { label, numberLabel, plural } from '../format.js';
import { escapeHtml, scrollTable } from '../html.js';
import type { SweepData } from '../page-data.js';
import { isLowBetter, metricKind, metricText } from './metric.js';
import { firstPair, type GroupedParameter } from './parameters.js';
import { betterFirst, TOO_FEW, tintScale } from './picture.js';
import type { Explored } from './sheet.js';

interface HeatCell {
  /** Null if no run falls into the cell. */
  readonly value: number | null;
  readonly runs: number;
  /** Index of the best run; -1 without runs. */
  readonly best: number;
}

/** The best run by the ranking metric in each cell, by row (y) and column (x). */
export function heatCells(
  explored: Explored,
  x: GroupedParameter,
  y: GroupedParameter,
  minTrades: number,
): HeatCell[][] {
  const cells = y.groups.map(() => x.groups.map(() => ({ value: null as number | null, runs: 0, best: -1 })));
  const { name, values } = explored.metrics[0]!;
  const order = betterFirst({ values, isLowBetter: isLowBetter(name) }, fewTrades(explored, minTrades));
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (x.codes[i] === 0 || y.codes[i] === 0 || !Number.isFinite(value)) continue;
    const cell = cells[y.groupOf[y.codes[i]! - 1]!]![x.groupOf[x.codes[i]! - 1]!]!;
    cell.runs++;
    if (cell.best !== -1 && order(cell.best, i) < 0) continue;
    cell.value = value;
    cell.best = i;
  }
  return cells;
}

/**
 * The map as rendered without the script: the best ranking metric over the pair of the leader's
 * parameters that explains the most.
 * @param leader number of its run
 */
export function heatMap(
  explored: Explored,
  parameters: readonly GroupedParameter[],
  minTrades: number,
  leader?: number,
): string {
  const [first, second] = firstPair(parameters, leader === undefined ? -1 : explored.runs.indexOf(leader));
  const [x, y] = [parameters[first]!, parameters[second]!];
  const { name, values } = explored.metrics[0]!;
  const isTurned = isLowBetter(name);
  const isFew = fewTrades(explored, minTrades);
  const cells = heatCells(explored, x, y, minTrades);
  const known = cells.flat().flatMap(({ best }) => (best === -1 ? [] : [best]));
  const [top] = known.toSorted(betterFirst({ values, isLowBetter: isTurned }, isFew));
  // Runs with too few trades get no colour while others may lead.
  const isPale = (run: number) => isFew[run] !== isFew[top!];
  const coloured = known.flatMap((run) => (isPale(run) ? [] : values[run]!));
  const [low, high] = [Math.min(...coloured), Math.max(...coloured)];
  const tints = tintScale(low, high, isTurned);
  const head = x.groups.map((group) => `<th scope="col">${escapeHtml(group)}</th>`).join('');
  // High values go to the top, as on every vertical axis.
  const rows = y.groups.map((group, r) => {
    const tds = cells[r]!.map(({ value, runs, best }, c) => {
      if (value === null) return '<td class="none"><span>–</span></td>';
      const story = `${x.name} ${x.groups[c]}, ${y.name} ${group}: best ${label(name)} ${metricText(name, value)} of ${plural(runs, 'run')}, run ${explored.runs[best]}${isFew[best] === 1 ? TOO_FEW : ''}`;
      const text = `${metricText(name, value)}${isFew[best] === 1 ? '*' : ''}`;
      const look = isPale(best)
        ? 'class="none"'
        : `class="${value < 0 ? 'cold' : 'hot'}${value === values[top!] ? ' best' : ''}" style="--a:${tints.of(value)}"`;
      return `<td ${look} title="${escapeHtml(story)}"><span>${escapeHtml(text)}</span></td>`;
    });
    return `<tr><th scope="row">${escapeHtml(group)}</th>${tds.join('')}</tr>`;
  });
  const options = (chosen: string, names: readonly string[], texts = names) =>
    names
      .map((one, i) => `<option value="${i}"${one === chosen ? ' selected' : ''}>${escapeHtml(texts[i]!)}</option>`)
      .join('');
  const names = parameters.map((one) => one.name);
  const metricNames = explored.metrics.map((one) => one.name);
  const select = (key: string, text: string, list: string) =>
    `<label>${text} <select class="control" data-heat="${key}">${list}</select></label>`;
  const controls = `<div class="controls" hidden>${select('x', 'Across', options(x.name, names))}${select('y', 'Down', options(y.name, names))}${select('metric', 'Colour', options(name, metricNames, metricNames.map(label)))}${select('of', 'Cell shows', '<option value="best">best run</option><option value="median">median</option><option value="count">number of runs</option>')}</div>`;
  const caption = `${label(name)}${isTurned ? ' (lower is better)' : ''}, best of each cell: ${x.name} across, ${y.name} down`;
  const table = `<table class="heat"><caption>${escapeHtml(caption)}</caption><thead><tr><td class="corner"></td>${head}</tr></thead><tbody>${rows.reverse().join('\n')}</tbody></table>`;
  return `<div id="heat-map">${controls}
${scrollTable('Heat map', table, 'heat-box')}
<p class="heat-key"><span>${escapeHtml(metricText(name, tints.ends[0]))}</span><i class="${tints.side}"${tints.side === 'both' ? ` style="--zero:${tints.zero};--low:${tints.of(low)};--high:${tints.of(high)}"` : ''} aria-hidden="true"></i><span>${escapeHtml(metricText(name, tints.ends[1]))}</span></p>
<output aria-live="polite"></output></div>`;
}

/** Most axes that fit side by side; the reader may choose others. */
const AXES_MAX = 9;

const base64 = (column: Uint8Array | Uint16Array | Float32Array | Uint32Array): string =>
  Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64');

/**
 * Encodes the runs for the script. Numbers travel as bytes: 20,000 runs of 40 parameters would take
 * ten times the space in digits. Metrics keep the seven digits of a single-precision float.
 */
export function exploreData(explored: Explored, parameters: readonly GroupedParameter[], minTrades: number): SweepData {
  const { runs, metrics } = explored;
  return {
    runs: base64(Uint32Array.from(runs)),
    isFew: base64(fewTrades(explored, minTrades)),
    axesMax: AXES_MAX,
    metrics: metrics.map(({ name, values }) => ({
      title: label(name),
      kind: metricKind(name),
      isLowBetter: isLowBetter(name),
      values: base64(Float32Array.from(values)),
    })),
    parameters: parameters.map(({ name, values, codes, isContinuous, groups, groupOf }) => ({
      name,
      isContinuous,
      // Continuous parameters are numeric.
      values: isContinuous ? (values as readonly number[]) : [],
      labels: groups,
      groupOf,
      isWide: values.length > 254,
      codes: values.length > 254 ? base64(codes) : base64(Uint8Array.from(codes)),
    })),
  };
}

/** By run: 1 for one with too few trades to lead. */
function fewTrades({ runs, metrics }: Explored, minTrades: number): Uint8Array {
  const trades = metrics.find(({ name }) => name === 'total_trades')?.values;
  return Uint8Array.from(runs, (_, i) => ((trades?.[i] ?? minTrades) < minTrades ? 1 : 0));
}

/** The script fills it; on paper it shows what the screen showed last. */
export function coordinatesFrame({ metrics }: Explored, parameters: readonly GroupedParameter[]): string {
  const options = metrics.map(({ name }, i) => `<option value="${i}">${escapeHtml(label(name))}</option>`).join('');
  const axes = parameters.map(
    ({ name }, i) =>
      `<label class="chip"><input type="checkbox" data-axis="${i}"${i < AXES_MAX - 1 ? ' checked' : ''}> ${escapeHtml(name)}</label>`,
  );
  const more =
    parameters.length < AXES_MAX
      ? ''
      : `<details class="control-row"><summary>Axes: ${AXES_MAX - 1} of ${parameters.length}</summary><div class="chips">${axes.join('')}</div></details>`;
  return `<div id="coordinates" hidden><div class="controls"><label>Metric <select class="control" data-coords="metric">${options}</select></label>
<label>Show <select class="control" data-coords="top"><option value="0">all runs</option><option value="1000">the best 1,000</option><option value="100">the best 100</option><option value="10">the best 10</option></select></label>
<span class="limit"><label>Limit <select class="control" data-coords="axis"></select></label>
<label>from <select class="control" data-coords="from"></select></label><label>to <select class="control" data-coords="to"></select></label></span>
<button type="button" class="control" data-coords="clear">Clear limits</button></div>${more}
<div class="coords" role="img"><canvas></canvas><div class="axes" aria-hidden="true"></div></div>
<p class="coords-key heat-key"><span></span><i aria-hidden="true"></i><span></span></p>
<output aria-live="polite"></output></div>
<p class="note script-only">The page's script draws this picture.</p>`;
}

/** Says why there is no heat map: it needs two parameters with more than one value. */
export function lackOfParameters(parameters: readonly GroupedParameter[]): string {
  const [only] = parameters;
  if (only === undefined) return 'No parameter takes more than one value in these runs, so there is no heat map.';
  const ends = [only.values[0]!, only.values.at(-1)!].map(numberLabel);
  return `Only one parameter takes more than one value, ${only.name} (${ends[0]} to ${ends[1]}); a heat map needs two.`;
}
