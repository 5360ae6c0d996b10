import { around } from '../dom.js';
import type { Axis } from './axes.js';

/** A drag shorter than this share of an axis counts as a click. */
const CLICK_MAX = 0.015;

interface Brushed {
  axis(k: number): Axis;
  /** Place on an axis under the pointer, 0..1. */
  placeAt(event: PointerEvent): number;
  started(axis: Axis): void;
  /** Sets the limits of an axis; null removes them. */
  limit(axis: Axis, limit: readonly [low: number, high: number] | null): void;
  ended(): void;
}

/**
 * Dragging along an axis keeps the runs between the two ends of the drag; a click removes the
 * limits.
 */
export function startBrush(layer: HTMLElement, { axis: axisOf, placeAt, started, limit, ended }: Brushed): void {
  layer.addEventListener('pointerdown', (event) => {
    const grip = around(event, '[data-grip]');
    if (grip === null) return;
    const axis = axisOf(Number(grip.dataset.grip));
    const start = placeAt(event);
    const drag = (move: PointerEvent): void => {
      const place = placeAt(move);
      const slack = axis.step * 0.1; // also keeps a value right beside the start of the drag
      limit(axis, [Math.max(0, Math.min(start, place) - slack), Math.min(1, Math.max(start, place) + slack)]);
    };
    const end = (up: PointerEvent): void => {
      document.removeEventListener('pointermove', drag);
      document.removeEventListener('pointerup', end);
      if (Math.abs(placeAt(up) - start) < CLICK_MAX) limit(axis, null);
      ended();
    };
    started(axis);
    event.preventDefault();
    document.addEventListener('pointermove', drag);
    document.addEventListener('pointerup', end);
  });
}
