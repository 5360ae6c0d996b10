import { figure, minute, NONE, percent } from '../format.js';
import type { CurvesData } from '../page-data.js';
import { timeTicks } from '../scale.js';
import { draw, find, unpack } from './page.js';

/** Widest zoom: this part of the whole fills the plot. */
const SPAN_MIN = 1 / 50;
/** One step of a button or key. */
const ZOOM_STEP = 1.6;
const PAN_STEP = 0.25;
/** Pixels that a pointer moves before it drags. */
const DRAG_MIN = 4;

/** The part of the time axis that all curves show, as fractions of the whole. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const whole: Span = { from: 0, to: 1 };

/** A span of at least the shortest length, moved into the whole. */
function within({ from, to }: Span): Span {
  const length = Math.min(1, Math.max(SPAN_MIN, to - from));
  const start = Math.min(1 - length, Math.max(0, (from + to - length) / 2));
  return { from: start, to: start + length };
}

/** A span `factor` times as long, with the place at fraction `at` of the plot where it was. */
function zoomed({ from, to }: Span, factor: number, at = 0.5): Span {
  const length = Math.min(1, Math.max(SPAN_MIN, (to - from) * factor));
  const place = from + (to - from) * at;
  const start = Math.min(1 - length, Math.max(0, place - length * at));
  return { from: start, to: start + length };
}

/** The span moved by a part of its length. */
const panned = ({ from, to }: Span, part: number): Span => {
  const step = (to - from) * part;
  const moved = Math.min(1 - to, Math.max(-from, step));
  return { from: from + moved, to: to + moved };
};

interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly values: Float32Array;
}

/**
 * Zoom, pan and hover on every chart of the run; all of them show the same part of it.
 * @param onShow hears which part that is
 */
export function startCurves(
  { startMs, endMs, charts, ofParts }: CurvesData,
  onShow: (span: Span) => void = () => {},
): void {
  const bar = find(HTMLElement, '#zoom');
  const told = find(HTMLOutputElement, 'output', bar);
  const plots = Object.entries(charts).flatMap(([id, curves]) => {
    const element = document.getElementById(id);
    return element === null ? [] : [new Plot(element, curves.map(read), ofParts.includes(id))];
  });
  let span = whole;
  const timeAt = (place: number): number => startMs + (endMs - startMs) * place;
  const show = (next: Span): void => {
    span = next;
    const isWhole = span.to - span.from > 0.9999;
    const ticks = timeTicks(timeAt(span.from), timeAt(span.to));
    for (const plot of plots) plot.show(span, plot.isOfParts ? partTicks(span) : ticks, isWhole);
    onShow(span);
    told.textContent = `${minute(timeAt(span.from))} to ${minute(timeAt(span.to))}`;
    for (const button of bar.querySelectorAll('button')) button.disabled = isWhole && button.dataset.zoomBy !== '0.625';
  };
  const point = (at: number | null): void => {
    const place = at === null ? null : span.from + (span.to - span.from) * at;
    const time = place === null ? '' : minute(timeAt(place));
    for (const plot of plots) plot.point(at, place, plot.isOfParts && place !== null ? partText(place, span) : time);
  };
  bar.hidden = false;
  bar.addEventListener('click', ({ target }) => {
    const { zoomBy, panBy } = target instanceof HTMLButtonElement ? target.dataset : {};
    if (zoomBy !== undefined) show(zoomBy === 'all' ? whole : zoomed(span, Number(zoomBy)));
    if (panBy !== undefined) show(panned(span, Number(panBy)));
  });
  for (const plot of plots) {
    plot.listen({ span: () => span, show, point, zoomStep: ZOOM_STEP, panStep: PAN_STEP });
  }
  show(whole);
}

/** A part of the run in percent, as exactly as the span tells parts apart. */
const partText = (part: number, { from, to }: Span): string => percent(part, to - from > 0.2 ? 0 : 1);

const partTicks = (span: Span): ReturnType<typeof timeTicks> =>
  [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, label: partText(span.from + (span.to - span.from) * at, span) }));

const read = ({ name, unit, values }: CurvesData['charts'][string][number]): Curve => ({
  name,
  unit,
  values: new Float32Array(unpack(values).buffer),
});

interface Handlers {
  readonly span: () => Span;
  readonly show: (span: Span) => void;
  /** @param at fraction of the plot; null when the pointer has left */
  readonly point: (at: number | null) => void;
  readonly zoomStep: number;
  readonly panStep: number;
}

/** One chart over time. */
class Plot {
  readonly #svg: SVGElement;
  readonly #field: SVGElement;
  readonly #ticks: SVGElement;
  readonly #cross: SVGElement;
  readonly #brush: SVGElement;
  readonly #told: HTMLElement;

  constructor(
    private readonly figure: HTMLElement,
    private readonly curves: readonly Curve[],
    readonly isOfParts: boolean,
  ) {
    this.#svg = find(SVGElement, '.plot > svg', figure);
    this.#field = find(SVGElement, '.field', figure);
    this.#ticks = find(SVGElement, '.ticks', figure);
    this.#cross = draw('line', { class: 'cross', y1: 0, y2: '100%', visibility: 'hidden' });
    this.#brush = draw('rect', { class: 'brush', y: 0, height: '100%', visibility: 'hidden' });
    this.#svg.append(this.#brush, this.#cross);
    this.#told = document.createElement('p');
    this.#told.className = 'told';
    find(HTMLElement, 'figcaption', figure).append(this.#told);
    find(HTMLElement, '.plot', figure).tabIndex = 0;
  }

  show({ from, to }: Span, ticks: ReturnType<typeof timeTicks>, isWhole: boolean): void {
    const scale = 1 / (to - from);
    this.#field.setAttribute('x', `${-100 * from * scale}%`);
    this.#field.setAttribute('width', `${100 * scale}%`);
    this.figure.classList.toggle('zoomed', !isWhole);
    this.#ticks.replaceChildren(
      ...ticks.flatMap(({ at, label }, i) => {
        const x = `${100 * at}%`;
        const side = at < 0.04 ? ' start' : at > 0.96 ? ' end' : '';
        return [
          draw('line', { class: 'tick', x1: x, x2: x, y1: '100%', y2: '100%' }),
          draw('text', { class: `x${side}${i % 2 === 1 ? ' odd' : ''}`, x, y: '100%', dy: '1.5em' }, label),
        ];
      }),
    );
  }

  /** Shows the values at a place of the whole, and a line at its place of the plot. */
  point(at: number | null, place: number | null, time: string): void {
    this.#cross.setAttribute('visibility', at === null ? 'hidden' : 'visible');
    if (at === null || place === null) {
      this.#told.textContent = '';
      return;
    }
    this.#cross.setAttribute('x1', `${100 * at}%`);
    this.#cross.setAttribute('x2', `${100 * at}%`);
    const values = this.curves.map(({ name, unit, values }) => {
      const value = values[Math.round(place * (values.length - 1))] ?? Number.NaN;
      return `${name} ${Number.isNaN(value) ? NONE : figure({ value, unit })}`;
    });
    this.#told.textContent = [time, ...values].join(' \u00b7 ');
  }

  /** Drag selects a part, or with Shift or a finger moves it; Ctrl and wheel or the keys zoom. */
  listen({ span, show, point, zoomStep, panStep }: Handlers): void {
    const plot = find(HTMLElement, '.plot', this.figure);
    const placeAt = ({ clientX }: MouseEvent): number => {
      const { left, width } = this.#svg.getBoundingClientRect();
      return Math.min(1, Math.max(0, (clientX - left) / width));
    };
    let drag: { readonly at: number; readonly x: number; readonly span: Span; readonly isPan: boolean } | null = null;
    plot.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || (event.target instanceof Element && event.target.closest('[data-trade]'))) return;
      const isPan = event.shiftKey || event.pointerType === 'touch';
      drag = { at: placeAt(event), x: event.clientX, span: span(), isPan };
    });
    plot.addEventListener('pointermove', (event) => {
      const at = placeAt(event);
      point(at);
      if (drag === null || Math.abs(event.clientX - drag.x) < DRAG_MIN) return;
      plot.setPointerCapture(event.pointerId);
      if (drag.isPan) show(panned(drag.span, drag.at - at));
      else this.#select(Math.min(drag.at, at), Math.max(drag.at, at));
    });
    const end = (event: PointerEvent): void => {
      const [begun, at] = [drag, placeAt(event)];
      drag = null;
      this.#brush.setAttribute('visibility', 'hidden');
      if (begun === null || begun.isPan || Math.abs(event.clientX - begun.x) < DRAG_MIN) return;
      const { from, to } = begun.span;
      const [left, right] = [Math.min(begun.at, at), Math.max(begun.at, at)];
      show(within({ from: from + (to - from) * left, to: from + (to - from) * right }));
    };
    plot.addEventListener('pointerup', end);
    plot.addEventListener('pointercancel', () => {
      drag = null;
      this.#brush.setAttribute('visibility', 'hidden');
    });
    plot.addEventListener('pointerleave', () => point(null));
    plot.addEventListener('dblclick', () => show(whole));
    plot.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return; // otherwise the page could not be scrolled
        event.preventDefault();
        show(zoomed(span(), event.deltaY < 0 ? 1 / zoomStep : zoomStep, placeAt(event)));
      },
      { passive: false },
    );
    plot.addEventListener('keydown', (event) => {
      const next: Readonly<Record<string, () => Span>> = {
        '+': () => zoomed(span(), 1 / zoomStep),
        '-': () => zoomed(span(), zoomStep),
        ArrowLeft: () => panned(span(), -panStep),
        ArrowRight: () => panned(span(), panStep),
        Escape: () => whole,
      };
      const move = next[event.key];
      if (move === undefined) return;
      event.preventDefault();
      show(move());
    });
  }

  #select(left: number, right: number): void {
    this.#brush.setAttribute('visibility', 'visible');
    this.#brush.setAttribute('x', `${100 * left}%`);
    this.#brush.setAttribute('width', `${100 * (right - left)}%`);
  }
}
