import { blockAfterLoss, isTierOn } from '../../formulas/cooldown-rules';
import { RunInput } from './run-layout';

/* What blocks the entries of a run: its cooldown, with the exit bars of all its losses in order, and its guards. */

let input = changetype<RunInput>(0);
let bars: usize;
let count: i32;
/** Last bar on which entries are blocked so far, or -1. */
export let blockedThrough: f64;

export function beginLosses(run: RunInput): void {
  input = run;
  bars = <usize>run.lossBars;
  count = 0;
  blockedThrough = -1;
}

/** Blocks entries that would fill at `bar` or earlier. */
export function blockThrough(bar: f64): void {
  blockedThrough = max<f64>(blockedThrough, bar);
}

/** As bookLoss() of execution/cooldown.ts. */
export function bookLoss(bar: i32): void {
  store<i32>(bars + (<usize>count << 2), bar);
  count++;
  trip(bar, input.cooldown_short_loss_limit, input.cooldown_short_window_bars);
  trip(bar, input.cooldown_long_loss_limit, input.cooldown_long_window_bars);
}

@inline
function trip(bar: i32, limit: f64, window: f64): void {
  if (!isTierOn(limit, window) || <f64>count < limit) return;
  const nthLatest = load<i32>(bars + (<usize>(count - <i32>limit) << 2));
  blockedThrough = blockAfterLoss(bar, nthLatest, window, blockedThrough);
}
