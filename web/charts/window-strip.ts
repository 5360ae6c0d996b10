import { thinCurve } from './buckets.js';
import { faded, onTheme, onWidth, readColours } from './colours.js';

interface WindowStrip {
  show(timesMs: Float64Array, close: Float64Array): void;
  /** Null for all bars. */
  select(window: Span | null): void;
  dispose(): void;
}

/** Epoch ms: from inclusive, to exclusive. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface WindowStripOptions {
  readonly height: number;
  /** Called while the user drags, and at every key; null where the window is all bars. */
  readonly onChange: (window: Span | null) => void;
}

type Part = 'from' | 'middle' | 'to';

/** The share of the whole that a key moves. */
const KEY_STEP = 1 / 200;
/** The least window, as a share of the whole. */
const WINDOW_MIN = 1 / 500;

/**
 * The whole series in small with the window of the run over it: its ends and its middle can be
 * dragged, or moved by the arrow keys where they have the focus. A double click takes all bars.
 */
export function createWindowStrip(host: HTMLElement, { height, onChange }: WindowStripOptions): WindowStrip {
  host.classList.add('strip');
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  const window = document.createElement('div');
  window.className = 'strip-window';
  const parts = (['middle', 'from', 'to'] as const).map((part) => {
    const element = document.createElement('div');
    element.className = `strip-${part}`;
    element.tabIndex = 0;
    element.role = 'slider';
    element.ariaLabel = { from: 'Start of the window', middle: 'Window', to: 'End of the window' }[part];
    element.addEventListener('pointerdown', (event) => drag(part, element, event));
    element.addEventListener('keydown', (event) => key(part, event));
    window.append(element);
    return [part, element] as const;
  });
  host.append(canvas, window);
  let series: { readonly timesMs: Float64Array; readonly close: Float64Array } | null = null;
  let width = Math.max(50, Math.floor(host.clientWidth));
  /** Shares of the whole. */
  let [from, to] = [0, 1];

  const wholeMs = (): Span => {
    const { timesMs } = series ?? { timesMs: new Float64Array(0) };
    const fromMs = timesMs[0] ?? 0;
    const lastMs = timesMs.at(-1) ?? 1;
    return { fromMs, toMs: lastMs + (timesMs.length > 1 ? (timesMs[1] ?? lastMs) - fromMs : 1) };
  };
  const place = (): void => {
    window.style.left = `${100 * from}%`;
    window.style.width = `${100 * (to - from)}%`;
    const whole = wholeMs();
    const date = (share: number): string =>
      new Date(whole.fromMs + share * (whole.toMs - whole.fromMs)).toISOString().slice(0, 10);
    for (const [part, element] of parts) {
      const share = part === 'to' ? to : from;
      element.ariaValueMin = '0';
      element.ariaValueMax = '100';
      element.ariaValueNow = String(Math.round(100 * share));
      element.ariaValueText = part === 'middle' ? `${date(from)} to ${date(to)}` : date(share);
    }
  };
  const tell = (): void => {
    place();
    const whole = wholeMs();
    const at = (share: number): number => Math.round(whole.fromMs + share * (whole.toMs - whole.fromMs));
    onChange(from === 0 && to === 1 ? null : { fromMs: from === 0 ? whole.fromMs : at(from), toMs: at(to) });
  };
  const move = (part: Part, [startFrom, startTo]: readonly [number, number], by: number): void => {
    if (part === 'middle') {
      const kept = Math.min(1 - startTo, Math.max(-startFrom, by));
      [from, to] = [startFrom + kept, startTo + kept];
    } else if (part === 'from') from = Math.max(0, Math.min(startFrom + by, to - WINDOW_MIN));
    else to = Math.min(1, Math.max(startTo + by, from + WINDOW_MIN));
    tell();
  };
  function drag(part: Part, element: HTMLElement, event: PointerEvent): void {
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
    const start = [from, to] as const;
    const follow = (moved: PointerEvent): void => move(part, start, (moved.clientX - event.clientX) / width);
    element.addEventListener('pointermove', follow);
    element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', follow), {
      once: true,
    });
  }
  function key(part: Part, event: KeyboardEvent): void {
    const direction = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[event.key];
    if (direction !== undefined) move(part, [from, to], direction * KEY_STEP);
    else if (event.key === 'Home') move(part, [from, to], -1);
    else if (event.key === 'End') move(part, [from, to], 1);
    else return;
    event.preventDefault();
  }
  host.addEventListener('dblclick', () => {
    [from, to] = [0, 1];
    tell();
  });
  const draw = (): void => {
    const ratio = devicePixelRatio;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d');
    if (pen === null || series === null) return;
    const { second } = readColours(host);
    const { timesMs, close } = series;
    const [x, y] = thinCurve(timesMs, close, [0, close.length], width);
    const { fromMs, toMs } = wholeMs();
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of y) [low, high] = [Math.min(low, value), Math.max(high, value)];
    pen.scale(ratio, ratio);
    pen.beginPath();
    for (const [i, ms] of x.entries()) {
      pen.lineTo(
        (width * (ms - fromMs)) / (toMs - fromMs),
        height - 3 - ((height - 6) * ((y[i] ?? low) - low)) / (high - low || 1),
      );
    }
    pen.strokeStyle = second;
    pen.stroke();
    pen.lineTo(width, height);
    pen.lineTo(0, height);
    pen.fillStyle = faded(second, 0.15);
    pen.fill();
  };
  const endTheme = onTheme(draw);
  const endWidth = onWidth(host, (next) => {
    width = next;
    draw();
  });
  return {
    show(timesMs, close) {
      series = { timesMs, close };
      draw();
      place();
    },
    select(next) {
      const { fromMs, toMs } = wholeMs();
      const share = (ms: number): number => Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)));
      [from, to] = next === null ? [0, 1] : [share(next.fromMs), share(next.toMs)];
      place();
    },
    dispose() {
      endTheme();
      endWidth();
      host.replaceChildren();
    },
  };
}
