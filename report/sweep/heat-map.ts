// biome-ignore-all lint/style/noNonNullAssertion: codes, groups and cells come from the same runs and fit together
import { label, plural } from '../format.js';
import { escapeHtml, scrollTable } from '../html.js';
import { metricText } from './metric.js';
import { firstPair, type GroupedParameter } from './parameters.js';
import type { Explored } from './sheet.js';
import { tintsOf } from './tint.js';

interface HeatCell {
  /** Null if no run falls into the cell. */
  readonly value: number | null;
  readonly runs: number;
  /** The run with the best value; -1 without runs. */
  readonly bestRun: number;
}

/** The best value of the ranking metric in each cell, by row (y) and column (x). */
export function heatCells({ runs, metrics }: Explored, x: GroupedParameter, y: GroupedParameter): HeatCell[][] {
  const cells = y.groups.map(() => x.groups.map(() => ({ value: null as number | null, runs: 0, bestRun: -1 })));
  const { values } = metrics[0]!;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (x.codes[i] === 0 || y.codes[i] === 0 || !Number.isFinite(value)) continue;
    const cell = cells[y.groupOf[y.codes[i]! - 1]!]![x.groupOf[x.codes[i]! - 1]!]!;
    cell.runs++;
    if (cell.value !== null && value <= cell.value) continue;
    cell.value = value;
    cell.bestRun = runs[i]!;
  }
  return cells;
}

/**
 * The map as rendered without the script: the best ranking metric over the pair of parameters that
 * explains the most.
 */
export function heatMap(explored: Explored, parameters: readonly GroupedParameter[]): string {
  const [first, second] = firstPair(parameters);
  const [x, y] = [parameters[first]!, parameters[second]!];
  const { name } = explored.metrics[0]!;
  const cells = heatCells(explored, x, y);
  const known = cells.flat().flatMap(({ value }) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const tints = tintsOf(low, high);
  const head = x.groups.map((group) => `<th scope="col">${escapeHtml(group)}</th>`).join('');
  // High values go to the top, as on every vertical axis.
  const rows = y.groups.map((group, r) => {
    const tds = cells[r]!.map(({ value, runs, bestRun }, c) => {
      if (value === null) return '<td class="none"><span>–</span></td>';
      const story = `${x.name} ${x.groups[c]}, ${y.name} ${group}: best ${label(name)} ${metricText(name, value)} of ${plural(runs, 'run')}, run ${bestRun}`;
      const best = value === high ? ' best' : '';
      return `<td class="${value < 0 ? 'cold' : 'hot'}${best}" style="--a:${tints.of(value)}" title="${escapeHtml(story)}"><span>${escapeHtml(metricText(name, value))}</span></td>`;
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
  const caption = `${label(name)}, best of each cell: ${x.name} across, ${y.name} down`;
  const table = `<table class="heat"><caption>${escapeHtml(caption)}</caption><thead><tr><td class="corner"></td>${head}</tr></thead><tbody>${rows.reverse().join('\n')}</tbody></table>`;
  return `<div id="heat-map">${controls}
${scrollTable('Heat map', table, 'heat-box')}
<p class="heat-key"><span>${escapeHtml(metricText(name, low))}</span><i class="${tints.side}"${tints.side === 'both' ? ` style="--zero:${tints.zero};--low:${tints.of(low)};--high:${tints.of(high)}"` : ''} aria-hidden="true"></i><span>${escapeHtml(metricText(name, high))}</span></p>
<output aria-live="polite"></output></div>`;
}
