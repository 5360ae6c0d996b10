import type {
  CountedOnce,
  CountedUnit,
  IdempotencyAttempt,
  IdempotencyClaim,
  IdempotencyScope,
  IdempotencyStore,
  UsageCount,
  UsageStore,
} from '../../data/state/index.js';

interface Held {
  readonly bodyHash: string;
  readonly leaseId: string;
  readonly holder: string;
  readonly leaseEndsMs: number;
  readonly endsMs: number;
  readonly steps: Readonly<Record<string, unknown>>;
  readonly answer: Uint8Array | null;
}

const nameOf = (parts: object): string => JSON.stringify(Object.entries(parts).sort());

/** Keys and answers in a map. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #held = new Map<string, Held>();

  async claim(scope: IdempotencyScope, attempt: IdempotencyAttempt): Promise<IdempotencyClaim> {
    const { nowMs, deadLeaseId, ...taken } = attempt;
    const held = this.#held.get(nameOf(scope));
    const isOpen = held?.answer === null && nowMs < held.endsMs;
    const isDead = isOpen && (held.leaseEndsMs <= nowMs || held.leaseId === deadLeaseId);
    if (held !== undefined && nowMs < held.endsMs && !isDead) {
      if (held.bodyHash !== taken.bodyHash) return { outcome: 'other_body' };
      return held.answer === null
        ? { outcome: 'in_flight', leaseId: held.leaseId, holder: held.holder }
        : { outcome: 'replay', answer: held.answer };
    }
    const steps = isOpen && held.bodyHash === taken.bodyHash ? held.steps : {};
    this.#held.set(nameOf(scope), { ...taken, steps, answer: null });
    return { outcome: 'run', steps };
  }

  async hold(scope: IdempotencyScope, leaseId: string, leaseEndsMs: number): Promise<boolean> {
    return this.#change(scope, leaseId, () => ({ leaseEndsMs }));
  }

  async record(scope: IdempotencyScope, leaseId: string, step: string, value: unknown): Promise<boolean> {
    return this.#change(scope, leaseId, ({ steps }) => ({ steps: { ...steps, [step]: value } }));
  }

  async complete(scope: IdempotencyScope, leaseId: string, answer: Uint8Array, expiresAtMs: number): Promise<boolean> {
    return this.#change(scope, leaseId, () => ({ answer, endsMs: expiresAtMs }));
  }

  async release(scope: IdempotencyScope, leaseId: string): Promise<boolean> {
    return this.#change(scope, leaseId, () => ({})) && this.#held.delete(nameOf(scope));
  }

  async suspend(scope: IdempotencyScope, leaseId: string, undone: string): Promise<boolean> {
    return this.#change(scope, leaseId, ({ steps: { [undone]: _, ...steps } }) => ({ leaseEndsMs: 0, steps }));
  }

  #change(scope: IdempotencyScope, leaseId: string, change: (held: Held) => Partial<Held>): boolean {
    const held = this.#held.get(nameOf(scope));
    if (held?.leaseId !== leaseId || held.answer !== null) return false;
    this.#held.set(nameOf(scope), { ...held, ...change(held) });
    return true;
  }

  async sweep(nowMs: number): Promise<number> {
    const ended = [...this.#held].filter(([, { endsMs }]) => endsMs <= nowMs);
    for (const [name] of ended) this.#held.delete(name);
    return ended.length;
  }

  /** All that is stored, as a dump would show it. */
  dump(): string {
    return [...this.#held.values()].map(({ answer }) => Buffer.from(answer ?? []).toString('latin1')).join('\n');
  }
}

/** Counters in a map. */
export class MemoryUsageStore implements UsageStore {
  readonly #used = new Map<string, number>();
  readonly #once = new Set<string>();

  async addUsage(count: UsageCount, amount: number, max: number | null) {
    const used = this.#used.get(nameOf(count)) ?? 0;
    if (max !== null && used + amount > max) return { isWithin: false, used };
    this.#used.set(nameOf(count), used + amount);
    return { isWithin: true, used: used + amount };
  }

  async addUsageOnce(count: UsageCount, amount: number, max: number | null, { scope }: CountedOnce) {
    if (this.#once.has(nameOf(scope))) return { isWithin: true, used: this.#used.get(nameOf(count)) ?? 0 };
    this.#once.add(nameOf(scope)); // before any wait, so that calls that meet count once
    const counted = await this.addUsage(count, amount, max);
    if (!counted.isWithin) this.#once.delete(nameOf(scope));
    return counted;
  }

  async countUnit({ orgId, month, meter, counter }: CountedUnit, max: number | null) {
    const counted = await this.addUsage({ orgId, resource: counter, month }, 1, max);
    if (counted.isWithin) this.#add({ orgId, resource: meter, month }, 1);
    return counted;
  }

  async giveBackUnit({ orgId, month, meter, counter }: CountedUnit): Promise<void> {
    for (const resource of [counter, meter]) this.#add({ orgId, resource, month }, -1);
  }

  async readMonth(orgId: string, month: string) {
    const all = [...this.#used].map(
      ([name, used]) => [Object.fromEntries(JSON.parse(name)) as UsageCount, used] as const,
    );
    const own = all.filter(([count]) => count.orgId === orgId && count.month === month);
    return Object.fromEntries(own.map(([{ resource }, used]) => [resource, used]));
  }

  #add(count: object, amount: number): void {
    this.#used.set(nameOf(count), (this.#used.get(nameOf(count)) ?? 0) + amount);
  }
}
