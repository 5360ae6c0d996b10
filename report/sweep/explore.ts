import { label, numberLabel } from '../format.js';
import { escapeHtml } from '../html.js';
import type { SweepData } from '../page-data.js';
import { isLowBetter, metricKind } from './metric.js';
import type { GroupedParameter } from './parameters.js';
import type { Explored } from './sheet.js';

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
export function fewTrades({ runs, metrics }: Explored, minTrades: number): Uint8Array {
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
  // biome-ignore lint/style/noNonNullAssertion: a parameter has at least one value
  const ends = [only.values[0]!, only.values.at(-1)!].map(numberLabel);
  return `Only one parameter takes more than one value, ${only.name} (${ends[0]} to ${ends[1]}); a heat map needs two.`;
}
