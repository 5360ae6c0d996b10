import { cash, close, dayOf, distanceOf, high, low, open, plainPriceOf, run } from './account';
import { restOf, sumAlone } from './curve';
import { planInline, touchFill, touchPrice } from './position-exits';
import { ENTRY_BYTES } from './run-layout';
import { at, Fill, KnownEntry, Position } from './run-memory';

/* What earlier runs found out about an entry, where it tells what becomes of its position. */

if (offsetof<KnownEntry>() > ENTRY_BYTES) ERROR('a known entry takes more room than the layout gives it');

export let isKnown: bool;
/** The sums over the bars of a position that is held alone are known too. */
export let hasSums: bool;
/** Where known entries are, by a hash, and they themselves in the order in which they were met. */
let places: usize;
let entries: usize;
/** Of the latest entry. */
let known = changetype<KnownEntry>(0);

export function beginEntries(): void {
  places = <usize>run.places;
  entries = <usize>run.entries;
  isKnown = entries != 0;
  hasSums = run.hasKnownSums != 0;
}

/** The sums over the bars after the entry of a position that is held alone up to the bar `to`. */
export function sumsOf(position: Position, to: i32): KnownEntry {
  const rest = restOf(cash, position);
  // Its known entry may have made room for others since.
  const isWhole = to == position.exitBar && known.bar == position.entryBar && known.exitBar == to;
  if (isWhole && known.rest == rest) return known;
  // Sums up to another entry are no other run's.
  const sums = isWhole ? known : entryOf(0);
  sums.close = at(close, position.entryBar);
  sums.closeBefore = at(close, to - 1);
  sumAlone(position.entryBar + 1, to, position.sign, rest, sums);
  return sums;
}

@inline
function entryOf(index: i32): KnownEntry {
  return changetype<KnownEntry>(entries + <usize>index * ENTRY_BYTES);
}

/** What is known of an entry at a bar: at least what the bar says. */
@inline
export function entryAt(bar: i32, sign: f64): KnownEntry {
  const exitId = <i32>(sign == 1 ? run.longExitId : run.shortExitId);
  const settingsId = <i32>run.settingsId;
  const place = places + (<usize>((bar + 40503 * (exitId + (settingsId << 8))) & <i32>run.placeMask) << 2);
  const entry = entryOf(load<i32>(place));
  if (entry.bar == bar && entry.exitId == exitId && entry.settingsId == settingsId) return entry;
  return learn(place, bar, sign, exitId, settingsId);
}

/** Takes the place of the oldest known entry. */
function learn(place: usize, bar: i32, sign: f64, exitId: i32, settingsId: i32): KnownEntry {
  const oldest = <i32>run.oldestEntry;
  run.oldestEntry = oldest == <i32>run.entryCount ? 1 : oldest + 1;
  store<i32>(place, oldest);
  const entry = entryOf(oldest);
  entry.exitId = exitId;
  entry.settingsId = settingsId;
  entry.bar = bar;
  entry.exitBar = -1;
  entry.day = dayOf(bar);
  entry.open = at(open, bar);
  entry.distance = distanceOf(bar - 1, plainPriceOf(sign, entry.open, false));
  entry.close = at(close, bar);
  entry.rest = NaN;
  return entry;
}

/** Takes the exit of a position over from what is known of its entry. */
@inline
export function planKnown(position: Position, bar: i32, entry: KnownEntry): void {
  known = entry;
  if (known.exitBar == -1) learnExit(position, bar);
  position.exitBar = known.exitBar;
  position.isScheduled = known.isScheduled;
  position.fill = known.fill;
  position.exitRaw = known.exitRaw;
}

function learnExit(position: Position, bar: i32): void {
  planInline(position, bar);
  const exitBar = position.exitBar;
  const raw = position.isScheduled != 0 ? at(open, exitBar) : touchPrice(position, at(open, exitBar), at(high, exitBar), at(low, exitBar));
  known.exitBar = exitBar;
  known.isScheduled = position.isScheduled;
  known.fill = raw != raw ? Fill.AT_END : position.isScheduled != 0 ? Fill.MARKET : touchFill;
  known.exitRaw = raw;
  known.closeBefore = at(close, exitBar - 1);
}
