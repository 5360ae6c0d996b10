import { COLUMNS, ROWS } from './downsample.js';
import { escapeHtml } from './html.js';
import type { Tick } from './scale.js';

/**
 * A percentage of the plot. Positions are percentages so that the plot stretches with the page
 * while text and markers keep their size.
 */
export const pct = (place: number): string => `${Number((100 * place).toFixed(3))}%`;

export interface Stroke {
  /** Class that carries colour and dash. */
  readonly className: string;
  readonly path: string;
}

interface Chart {
  readonly id: string;
  /** Text alternative: what the chart shows and the figures that matter. */
  readonly alternative: string;
  /** Visible heading of the chart. */
  readonly title: string;
  /** Markers and their meanings. */
  readonly legend?: readonly { readonly className: string; readonly text: string }[];
  readonly height: 's' | 'm' | 'l';
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  /** Drawn in pixel columns and rows, then stretched to the plot. */
  readonly strokes: readonly Stroke[];
  /** Markup placed in percent, drawn on top. */
  readonly marks?: string;
  /** Emphasised horizontal line, such as zero. */
  readonly baseline?: number | undefined;
  /** Whether the horizontal axis is the time of the run or its part, which the reader can zoom. */
  readonly isOverTime?: boolean;
}

const isInside = ({ at }: Tick): boolean => at >= -0.001 && at <= 1.001;

/**
 * One figure: heading, legend and an SVG. Axis labels are text placed in percent around a stretched
 * plot.
 */
export function chart(options: Chart): string {
  const { id, title, alternative, legend = [], height, marks = '', baseline } = options;
  const y = (place: number) => pct(1 - place);
  const rows = options.yTicks.filter(isInside).map(({ at, label }) => {
    return `<line class="grid" x1="0" x2="100%" y1="${y(at)}" y2="${y(at)}"/><text class="y" x="-8" y="${y(at)}" dy=".32em">${escapeHtml(label)}</text>`;
  });
  const columns = options.xTicks.filter(isInside).map(({ at, label }, i) => {
    const anchor = at < 0.04 ? ' start' : at > 0.96 ? ' end' : '';
    const x = pct(at);
    return `<line class="tick" x1="${x}" x2="${x}" y1="100%" y2="100%"/><text class="x${anchor}${i % 2 === 1 ? ' odd' : ''}" x="${x}" y="100%" dy="1.5em">${escapeHtml(label)}</text>`;
  });
  const paths = options.strokes.map(({ className, path }) => `<path class="${className}" d="${path}"/>`);
  const zero =
    baseline === undefined ? '' : `<line class="base" x1="0" x2="100%" y1="${y(baseline)}" y2="${y(baseline)}"/>`;
  const signs = legend.map(
    ({ className, text }) => `<li><i class="sign ${className}" aria-hidden="true"></i>${escapeHtml(text)}</li>`,
  );
  const stretched = `<svg class="stretch" width="100%" height="100%" viewBox="0 0 ${COLUMNS} ${ROWS}" preserveAspectRatio="none">${paths.join('')}</svg>`;
  const key = signs.length === 0 ? '' : `<ul class="legend">${signs.join('')}</ul>`;
  return `<figure class="chart ${height}" id="${id}"><figcaption><h3>${escapeHtml(title)}</h3>${key}</figcaption>
<div class="plot"><svg role="img" aria-label="${escapeHtml(alternative)}">
${rows.join('')}<g class="ticks">${columns.join('')}</g>
${options.isOverTime === true ? field(stretched + marks) : stretched}
${zero}${options.isOverTime === true ? '' : marks}</svg></div></figure>
`;
}

/**
 * What lies on the time axis. The script shows a part of it by the place and width of the inner
 * element; all within is placed in percent of that.
 */
const field = (content: string): string =>
  `<svg class="window" width="100%" height="100%"><svg class="field" width="100%" height="100%">${content}</svg></svg>`;

/** The controls of all charts over time; hidden without the script. */
export const zoomBar = `<div class="controls" id="zoom" hidden><button type="button" class="control" data-zoom-by="0.625">Zoom in</button><button type="button" class="control" data-zoom-by="1.6">Zoom out</button><button type="button" class="control" data-pan-by="-0.25">Earlier</button><button type="button" class="control" data-pan-by="0.25">Later</button><button type="button" class="control" data-zoom-by="all">All</button><output></output><small>Drag across a curve to zoom, with Shift to move; all curves of the page follow.</small></div>`;

/** A marker at a place of the plot. */
export function sign(shape: keyof typeof shapes, x: number, y: number, className: string, extra = ''): string {
  return `<svg class="mark ${className}" x="${pct(x)}" y="${pct(1 - y)}"${extra}><path d="${shapes[shape]}"/></svg>`;
}

const shapes = {
  up: 'M0 2 4.5 10H-4.5Z',
  down: 'M0-2 4.5-10H-4.5Z',
  diamond: 'M0-4 4 0 0 4-4 0Z',
  cross: 'M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5',
} as const;
