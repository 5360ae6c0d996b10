import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { State } from '../state/tables.js';

/** A name for the leases of this process, which no other has, nor this one after a restart. */
export const runnerName = (): string => `${process.pid}-${randomUUID()}`;

/** Pauses a loop, until `signal` aborts at most; keeps no process alive. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {});

/** Wakes a loop by notices from any process, and where some may have been lost. */
export const wakeOn = (state: Pick<State, 'listen'>, channel: string, wake: () => void): Promise<void> =>
  state.listen(channel, { onNotice: wake, onDeaf: () => {}, onHearing: wake });
