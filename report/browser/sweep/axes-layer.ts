import type { Axis, Limits } from './axes.js';
import { fittingTicks, type Layout } from './layout.js';

type Style = Readonly<Record<string, string | number>>;

/**
 * Draws the names, ticks, limits and grips of the axes. A number in a style is in pixels of the
 * box.
 */
export function drawAxes(layer: HTMLElement, axes: readonly Axis[], limits: Limits, layout: Layout): void {
  layer.replaceChildren();
  const put: Put = (className, style, text) => {
    const made = document.createElement('div');
    made.className = className;
    for (const [key, value] of Object.entries(style)) {
      made.style.setProperty(key, typeof value === 'number' ? length(key, value, layout) : value);
    }
    if (text !== undefined) made.textContent = text;
    layer.append(made);
    return made;
  };
  for (const [k, axis] of axes.entries()) {
    const draw = layout.isLying ? drawLying : drawUpright;
    const grip = draw(put, axis, limits.get(axis.name), k, layout);
    grip.dataset.grip = String(k);
  }
}

type Put = (className: string, style: Style, text?: string) => HTMLElement;

/**
 * Converts lengths to shares of the box, as the canvas has them, so that both shrink alike on
 * paper. A hairline stays one pixel wide.
 */
function length(key: string, value: number, { width, height }: Layout): string {
  if (value === 1) return '1px';
  return `${((100 * value) / (/top|bottom|height/.test(key) ? height : width)).toFixed(3)}%`;
}

/** Splits `sma_cross_up.window_fast` into the parameter and the rule it belongs to. */
function splitName(name: string): readonly [title: string, rule: string] {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? [name, ''] : [name.slice(dot + 1), name.slice(0, dot)];
}

/** Long names may break after an underscore. */
const breakable = (name: string): string => name.replaceAll('_', '_\u200b');

type Limit = readonly [low: number, high: number] | undefined;

function drawLying(put: Put, axis: Axis, limit: Limit, k: number, layout: Layout): HTMLElement {
  const { width, pointAt } = layout;
  const [x0, y0] = pointAt(k, 0);
  const [x1] = pointAt(k, 1);
  const oneLine = { 'white-space': 'nowrap', overflow: 'hidden', 'text-overflow': 'ellipsis' };
  put('name', { left: 10, top: y0 - 25, 'max-width': width - 20, ...oneLine }, axis.name);
  put('line', { left: x0, top: y0, width: x1 - x0, height: 1 });
  if (limit !== undefined) {
    const [low, high] = limit;
    put('band', { left: pointAt(k, low)[0] - 2, width: (high - low) * (x1 - x0) + 4, top: y0 - 7, height: 14 });
  }
  for (const { tick, isFirst, isLast } of fittingTicks(axis.ticks, layout)) {
    const [place, text] = tick;
    const [x, y] = pointAt(k, place);
    const side = isLast && !isFirst ? { left: 'auto', right: width - x } : { left: x, right: 'auto' };
    put('tick', { top: y + 4, ...side, transform: isFirst || isLast ? 'none' : 'translateX(-50%)' }, text);
  }
  return put('grip', { left: 0, top: y0 - 12, width, height: 34 });
}

function drawUpright(put: Put, axis: Axis, limit: Limit, k: number, layout: Layout): HTMLElement {
  const { height, gap, pointAt } = layout;
  const [x, bottom] = pointAt(k, 0);
  const [, top] = pointAt(k, 1);
  const wide = Math.min(gap, 130);
  const [title, rule] = splitName(axis.name);
  const place = { left: x - wide / 2 + 2, width: wide - 4, bottom: height - 38, 'text-align': 'center' };
  const name = put('name', place, breakable(title));
  if (rule !== '') {
    const small = document.createElement('small');
    small.textContent = breakable(rule);
    name.prepend(small);
  }
  put('line', { left: x, top, width: 1, height: bottom - top });
  if (limit !== undefined) {
    const [low, high] = limit;
    const band = { top: pointAt(k, high)[1] - 2, height: (high - low) * (bottom - top) + 4 };
    put('band', { left: x - 7, width: 14, ...band });
  }
  const cut = { 'max-width': Math.max(40, gap - 14), overflow: 'hidden', 'text-overflow': 'ellipsis' };
  for (const { tick } of fittingTicks(axis.ticks, layout)) {
    put('tick', { left: x + 6, top: pointAt(k, tick[0])[1] - 8, ...cut }, tick[1]);
  }
  return put('grip', { left: x - 16, top: top - 10, width: 32, height: bottom - top + 20 });
}
