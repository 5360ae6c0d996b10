import { LRUCache } from 'lru-cache';
import type { MethodName } from '../../contract/index.js';
import type { CacheUse } from '../../data/providers/index.js';
import type { Caller } from '../caller.js';

/** Memory of all answers that are kept. */
const BYTES_MAX = 16 * 1024 * 1024;
/** Larger answers are not kept: they take long because of their size. */
const ANSWER_BYTES_MAX = 65_536;
/** What an entry takes beside its request and answer. */
const ENTRY_BYTES = 256;

interface Kept {
  readonly answer: Buffer;
  readonly changes: number;
}

/** Where the answer of one call is kept. */
interface Place {
  /** Undefined if none is kept, or if rows have changed since. */
  readonly answer: Buffer | undefined;
  /** Keeps the answer, unless rows have changed since the look. */
  keep(answer: Buffer): void;
}

/**
 * Encoded answers of reads, each for its caller and its request. An answer is kept until any row of
 * the state changes, so it is never stale. The caller is the object that the authenticator returns:
 * a credential that is revoked, narrowed or verified again gets another, and starts anew.
 */
export class AnswerCache {
  readonly #entries = new LRUCache<string, Kept>({
    maxSize: BYTES_MAX,
    maxEntrySize: ANSWER_BYTES_MAX,
    sizeCalculation: ({ answer }, key) => answer.length + key.length + ENTRY_BYTES,
  });
  readonly #callers = new WeakMap<Caller, number>();
  readonly #methods: ReadonlySet<MethodName>;
  readonly #changes: () => number;
  #lastCaller = 0;
  #hits = 0;
  #misses = 0;

  /**
   * @param methods whose answer follows from caller, request and rows alone
   * @param changes number of changes of rows so far
   */
  constructor(methods: readonly MethodName[], changes: () => number) {
    this.#methods = new Set(methods);
    this.#changes = changes;
  }

  /** Null for a method whose answers are not kept. */
  look(method: MethodName, caller: Caller, request: Buffer): Place | null {
    if (!this.#methods.has(method)) return null;
    const key = `${this.#numberOf(caller)} ${method} ${request.toString('latin1')}`;
    const changes = this.#changes();
    const kept = this.#entries.get(key);
    const answer = kept?.changes === changes ? kept.answer : undefined;
    if (answer === undefined) this.#misses++;
    else this.#hits++;
    return {
      answer,
      keep: (fresh) => {
        if (this.#changes() === changes) this.#entries.set(key, { answer: fresh, changes });
      },
    };
  }

  use(): CacheUse {
    const { size: entries, calculatedSize: bytes } = this.#entries;
    return { entries, bytes, hits: this.#hits, misses: this.#misses };
  }

  #numberOf(caller: Caller): number {
    const known = this.#callers.get(caller);
    if (known !== undefined) return known;
    this.#callers.set(caller, ++this.#lastCaller);
    return this.#lastCaller;
  }
}
