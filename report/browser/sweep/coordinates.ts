import { count, plural } from '../../format.js';
import { betterFirst, metricForm } from '../../sweep/picture.js';
import { find, onTheme } from '../page.js';
import {
  type Axis,
  limitWords,
  type Metric,
  type MetricAxis,
  metricAxis,
  nearestOffered,
  parameterAxis,
  type SweepRuns,
  startBrush,
} from './axes.js';
import { drawAxes } from './axes-layer.js';
import { arrangeAxes, isLyingAt, type Layout, lyingHeight } from './layout.js';
import { type Colours, chooseShown, colourScale, drawLines, type Shown } from './lines.js';

type Control = 'metric' | 'top' | 'axis' | 'from' | 'to';

/**
 * The parallel coordinates, drawn on a canvas: axes stand upright on a wide page and lie on a
 * narrow one.
 */
export class Coordinates {
  readonly #sweep: SweepRuns;
  readonly #frame = find(HTMLElement, '#coordinates');
  readonly #box = find(HTMLElement, '.coords', this.#frame);
  readonly #canvas = find(HTMLCanvasElement, 'canvas', this.#box);
  readonly #layer = find(HTMLElement, '.axes', this.#box);
  readonly #limits = new Map<string, readonly [low: number, high: number]>();
  /** Indices of the parameters that have an axis. */
  readonly #chosen: Set<number>;
  #metric: Metric;
  /** The axis of the metric stands last. */
  #last: MetricAxis;
  #axes: readonly Axis[] = [];
  /** Runs that have the metric, worst first. */
  #order: readonly number[] = [];
  #layout: Layout = arrangeAxes(0, false, 0, 0);
  #isWaiting = false;

  constructor(sweep: SweepRuns) {
    this.#sweep = sweep;
    this.#chosen = new Set([...sweep.parameters.keys()].slice(0, sweep.axesMax - 1));
    this.#metric = sweep.metrics[0];
    this.#last = metricAxis(this.#metric);
  }

  start(): void {
    this.#frame.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement) this.#chooseAxis(target);
      else if (target instanceof HTMLSelectElement) this.#changed(target.dataset.coords as Control);
    });
    find(HTMLButtonElement, '[data-coords=clear]', this.#frame).addEventListener('click', () => {
      this.#limits.clear();
      this.#offer();
      this.#later();
    });
    startBrush(this.#layer, {
      axis: (k) => this.#axes[k],
      placeAt: ({ clientX, clientY }) => {
        const { left, top } = this.#box.getBoundingClientRect();
        return this.#layout.placeAt(clientX - left, clientY - top);
      },
      started: (axis) => {
        this.#control('axis').value = axis.name;
      },
      limit: (axis, limit) => this.#limit(axis, limit),
      ended: () => this.#offer(),
    });
    this.#frame.hidden = false;
    this.#arrange();
    new ResizeObserver(() => {
      if (this.#box.clientWidth !== this.#layout.width) this.#place();
    }).observe(this.#frame);
    onTheme(() => this.#draw());
  }

  #control(name: Control): HTMLSelectElement {
    return find(HTMLSelectElement, `[data-coords=${name}]`, this.#frame);
  }

  /** The axis to which the lists of limits apply. */
  #limited(): Axis {
    const { value } = this.#control('axis');
    return this.#axes.find(({ name }) => name === value) ?? this.#last;
  }

  #chooseAxis({ dataset, checked }: HTMLInputElement): void {
    if (checked) this.#chosen.add(Number(dataset.axis));
    else this.#chosen.delete(Number(dataset.axis));
    this.#arrange();
  }

  #changed(control: Control): void {
    if (control === 'metric') this.#arrange();
    else if (control === 'axis') this.#offer();
    else if (control === 'top') this.#later();
    else {
      const axis = this.#limited();
      const ends = (['from', 'to'] as const).map((name) => axis.offered[Number(this.#control(name).value)][0]);
      const [low, high] = [Math.min(...ends), Math.max(...ends)];
      this.#limit(axis, low === 0 && high === 1 ? null : [low, high]);
    }
  }

  #limit({ name }: Axis, limit: readonly [low: number, high: number] | null): void {
    if (limit === null) this.#limits.delete(name);
    else this.#limits.set(name, limit);
    this.#later();
  }

  /** Rebuilds axes, limits and order after the reader chooses other axes or another metric. */
  #arrange(): void {
    const { runs, isFew, parameters, metrics } = this.#sweep;
    this.#metric = metrics[Number(this.#control('metric').value)];
    this.#last = metricAxis(this.#metric);
    this.#axes = [...parameters.filter((_, k) => this.#chosen.has(k)).map(parameterAxis), this.#last];
    const { values } = this.#metric;
    const known = Array.from(runs.keys()).filter((run) => Number.isFinite(values[run]));
    this.#order = known.sort(betterFirst(this.#metric, isFew)).reverse();
    const names = this.#axes.map(({ name }) => name);
    for (const name of this.#limits.keys()) if (!names.includes(name)) this.#limits.delete(name);
    const list = this.#control('axis');
    const before = list.value;
    list.replaceChildren(...names.map((name) => new Option(name)));
    list.value = names.includes(before) ? before : names[0];
    this.#offer();
    this.#place();
  }

  /** Fills the two lists with values of the selected axis and selects its current limits. */
  #offer(): void {
    const axis = this.#limited();
    const [low, high] = this.#limits.get(axis.name) ?? [0, 1];
    for (const [name, place] of [['from', low] as const, ['to', high] as const]) {
      const list = this.#control(name);
      list.replaceChildren(...axis.offered.map(([, label], k) => new Option(label, String(k))));
      list.value = String(nearestOffered(axis, place));
    }
  }

  #place(): void {
    const isLying = isLyingAt(this.#frame.clientWidth, this.#axes.length);
    this.#box.classList.toggle('tall-coords', isLying);
    this.#box.style.height = isLying ? `${lyingHeight(this.#axes.length)}px` : '';
    const { clientWidth: width, clientHeight: height } = this.#box;
    this.#layout = arrangeAxes(this.#axes.length, isLying, width, height);
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    this.#canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#draw();
  }

  #later(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      this.#draw();
    });
  }

  #draw(): void {
    const paint = this.#canvas.getContext('2d');
    if (paint === null) return;
    drawAxes(this.#layer, this.#axes, this.#limits, this.#layout);
    const { values } = this.#metric;
    const top = Number(this.#control('top').value);
    const shown = chooseShown(this.#order, values, this.#axes, this.#limits, top);
    drawLines(paint, shown, values, this.#axes, this.#colours(), this.#layout);
    this.#tell(shown);
  }

  /** Reads the colours of the theme and shows them in the key below the picture. */
  #colours(): Colours {
    const style = getComputedStyle(document.documentElement);
    const token = (name: string) => style.getPropertyValue(name).trim().split(' ').map(Number);
    const { low, high } = this.#last;
    const { kind, isLowBetter } = this.#metric;
    const colours = colourScale(token('--hot'), token('--cold'), token('--quiet'), low, high, isLowBetter);
    const [first, last] = colours.ends;
    const [from, bar, to] = find(HTMLElement, '.coords-key', this.#frame).children;
    from.textContent = metricForm(first, kind);
    to.textContent = metricForm(last, kind);
    const shades = Array.from({ length: 13 }, (_, k) => colours.at(first + ((last - first) * k) / 12));
    if (bar instanceof HTMLElement) bar.style.background = `linear-gradient(90deg,${shades.join()})`;
    return colours;
  }

  #tell({ known, kept }: Shown): void {
    const { values, title, kind } = this.#metric;
    const words = limitWords(this.#axes, this.#limits);
    const within = words.length === 0 ? '' : ` with ${words.join(', ')}`;
    const leader = kept.at(-1);
    const best =
      leader === undefined
        ? ''
        : `; the best has ${title} ${metricForm(values[leader], kind)}, run ${this.#sweep.runs[leader]}`;
    const story = `${plural(kept.length, 'run')} of ${count(known.length)}${within}${best}.`;
    find(HTMLOutputElement, ':scope > output', this.#frame).textContent = story;
    const names = this.#axes.map(({ name }) => name).join(', ');
    this.#box.setAttribute('aria-label', `Parallel coordinates of ${names}: ${story}`);
  }
}
