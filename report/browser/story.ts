import { amount, count, minute } from '../format.js';
import { eventKinds, type PackedEvent } from '../page-data.js';

type EventKind = (typeof eventKinds)[number];

/** One step of a trade. */
export interface StoryEvent {
  readonly kind: EventKind;
  readonly seconds: number;
  /** NaN where there is none. */
  readonly price: number;
  readonly size: number;
  readonly reason: string;
}

/** A line of the story: when, and what happened. */
interface StoryLine {
  readonly time: string;
  readonly text: string;
}

export const unpackEvents = (packed: readonly PackedEvent[]): StoryEvent[] =>
  packed.map(([kind, seconds, price, size, reason]) => ({
    kind: eventKinds[kind] ?? 'entry',
    seconds,
    price: price ?? Number.NaN,
    size: size ?? Number.NaN,
    reason: reason ?? '',
  }));

/** From so many on, moves of a level in a row are told in one line. */
const MOVES_TOLD = 3;

const decisions: Readonly<Record<string, string>> = {
  SIGNAL: 'the exit rule is true',
  MAX_HOLD: 'it has been held long enough',
  LOSS_TIMEOUT: 'it has lost long enough',
  PROFIT_TIMEOUT: 'it has gained long enough',
  GUARD: 'a guard broke',
};

const endings: Readonly<Record<string, string>> = {
  SL: 'stop',
  TRAIL: 'moved stop',
  TP: 'target',
  END: 'end of the data',
  LIQUIDATION: 'liquidated: the whole margin is lost',
  OPPOSITE: 'entry of the other side',
  SIGNAL: 'exit rule',
  GUARD: 'guard',
  SCALE_OUT: 'last part',
  ENDED: 'the bars of the asset have ended',
};

/** The order of events of one trade, as sentences. */
export function storyLines(events: readonly StoryEvent[], isShort: boolean, digits: number): StoryLine[] {
  const lines: StoryLine[] = [];
  const price = (value: number) => amount(value, digits);
  const size = (value: number) => String(Number(value.toFixed(6)));
  const [buys, sells] = isShort ? ['sells short', 'buys back'] : ['buys', 'sells'];
  for (let i = 0; i < events.length; i++) {
    const event = events[i];
    if (event === undefined) continue;
    const run = sameLevel(events, i);
    if (run.length > MOVES_TOLD) {
      const last = run[run.length - 1] ?? event;
      const moves = `moves ${count(run.length)} times, from ${price(event.price)} to ${price(last.price)}`;
      lines.push({ time: `${when(event)} to ${when(last)}`, text: `the ${event.kind} ${moves}` });
      i += run.length - 1;
      continue;
    }
    lines.push({ time: when(event), text: text(event, i) });
  }
  return lines;

  function text(event: StoryEvent, i: number): string {
    const { kind, reason } = event;
    switch (kind) {
      case 'placed':
        return `an order to ${isShort ? 'sell short' : 'buy'} at ${price(event.price)} is placed`;
      case 'entry':
        return `${buys} ${size(event.size)} at ${price(event.price)}`;
      case 'stop':
      case 'target': {
        const isFirst = !events.slice(0, i).some((before) => before.kind === kind);
        if (Number.isNaN(event.price)) return `the ${kind} is taken away`;
        return `the ${kind} ${isFirst ? 'stands at' : 'moves to'} ${price(event.price)}`;
      }
      case 'part':
        return `${sells} a part, ${size(event.size)}, at ${price(event.price)}`;
      case 'leave':
        return `${decisions[reason] ?? reason}: all is to be ${isShort ? 'bought back' : 'sold'} at the next open`;
      case 'exit':
        return `${sells} ${size(event.size)} at ${price(event.price)} (${reason}: ${endings[reason] ?? 'time limit'})`;
    }
  }
}

const when = ({ seconds }: StoryEvent): string => minute(1000 * seconds);

/** The moves of one level that follow each other, from index `i` on; the first level is no move. */
function sameLevel(events: readonly StoryEvent[], i: number): StoryEvent[] {
  const kind = events[i]?.kind;
  if (kind !== 'stop' && kind !== 'target') return [];
  if (!events.slice(0, i).some((before) => before.kind === kind)) return [];
  let end = i;
  while (events[end]?.kind === kind) end++;
  return events.slice(i, end);
}
