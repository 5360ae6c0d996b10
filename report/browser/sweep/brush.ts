import { around } from '../dom.js';
import type { Axis } from './axes.js';

/** A drag shorter than this part of an axis is a click. */
const CLICK_MAX = 0.015;

interface Brushed {
  axis(k: number): Axis;
  /** Place on an axis under the pointer, 0..1. */
  placeAt(event: PointerEvent): number;
  started(axis: Axis): void;
  /** Keeps what lies between two places; null lets all through again. */
  limit(axis: Axis, limit: readonly [low: number, high: number] | null): void;
  ended(): void;
}

/**
 * Dragging along an axis keeps what lies between; a click without dragging lets all through again.
 */
export function startBrush(layer: HTMLElement, { axis: axisOf, placeAt, started, limit, ended }: Brushed): void {
  layer.addEventListener('pointerdown', (event) => {
    const grip = around(event, '[data-grip]');
    if (grip === null) return;
    const axis = axisOf(Number(grip.dataset.grip));
    const start = placeAt(event);
    const drag = (move: PointerEvent): void => {
      const place = placeAt(move);
      const slack = axis.step * 0.1; // a drag that begins beside a value still keeps it
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
