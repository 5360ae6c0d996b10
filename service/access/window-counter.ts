import { createHmac, randomBytes } from 'node:crypto';

interface Window {
  count: number;
  readonly endsAtMs: number;
}

/** What a window holds after an event was counted in it. */
export interface Counted {
  readonly count: number;
  readonly endsAtMs: number;
}

/**
 * Counts events by name in windows of one length; a window begins with the first event of its name.
 * It remembers at most `namesMax` names. While that many windows run, further names share counters,
 * chosen by a keyed hash: no window ends early, so a caller who names many others cannot reset its
 * own count, and one who shares a counter is held back sooner, never later.
 */
export class WindowCounter {
  /** In the order of their ends: a window is set again when it begins again. */
  readonly #windows = new Map<string, Window>();
  readonly #shared = new Map<number, Window>();
  readonly #hashKey = randomBytes(32);

  constructor(
    private readonly windowMs: number,
    private readonly namesMax = NAMES_MAX,
    private readonly sharedMax = SHARED_MAX,
  ) {}

  count(name: string, nowMs: number): Counted {
    return this.#hasOwn(name, nowMs)
      ? this.#add(this.#windows, name, nowMs)
      : this.#add(this.#shared, this.#sharedOf(name, nowMs), nowMs);
  }

  /** What the next count would add to; null if it would begin a window. */
  peek(name: string, nowMs: number): Counted | null {
    const window = this.#hasOwn(name, nowMs) ? this.#windows.get(name) : this.#shared.get(this.#sharedOf(name, nowMs));
    return window ?? null;
  }

  #hasOwn(name: string, nowMs: number): boolean {
    dropEnded(this.#windows, nowMs);
    return this.#windows.has(name) || this.#windows.size < this.namesMax;
  }

  #sharedOf(name: string, nowMs: number): number {
    dropEnded(this.#shared, nowMs);
    const hash = createHmac('sha256', this.#hashKey).update(name).digest().readUInt32LE();
    return hash % this.sharedMax;
  }

  /** How many counters it holds. */
  get size(): number {
    return this.#windows.size + this.#shared.size;
  }

  #add<Name>(windows: Map<Name, Window>, name: Name, nowMs: number): Counted {
    const window = windows.get(name) ?? { count: 0, endsAtMs: nowMs + this.windowMs };
    window.count++;
    if (window.count === 1) windows.set(name, window);
    return window;
  }
}

/** About 10 MB of counters. */
const NAMES_MAX = 50_000;
const SHARED_MAX = 8_192;

function dropEnded<Name>(windows: Map<Name, Window>, nowMs: number): void {
  for (const [name, { endsAtMs }] of windows) {
    if (endsAtMs > nowMs) return;
    windows.delete(name);
  }
}
