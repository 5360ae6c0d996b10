import { Counter, Gauge, type Registry } from 'prom-client';
import type { Upstream } from '../data/upstreams/index.js';

/** The breaker as a number; of several breakers of one provider, the highest counts. */
const breakers = { closed: 0, 'half-open': 1, open: 2 } as const;

/** Adds metrics that are read from the upstreams when they are asked for. */
export function measureUpstreams(upstreams: readonly Upstream[], registry: Registry): void {
  const byProvider = new Map<string, readonly Upstream[]>();
  for (const upstream of upstreams) byProvider.set(upstream.name, [...(byProvider.get(upstream.name) ?? []), upstream]);
  const registers = [registry];
  new Gauge({
    name: 'barline_upstream_breaker',
    help: 'Breaker of a provider of live data: 0 closed, 1 half-open, 2 open',
    labelNames: ['provider'],
    registers,
    collect() {
      for (const [provider, parts] of byProvider) {
        this.set({ provider }, Math.max(...parts.map((part) => breakers[part.state().breaker])));
      }
    },
  });
  new Counter({
    name: 'barline_upstream_questions_total',
    help: 'Questions to a provider: answered by it, kept (a fresh earlier answer), stale (an older one), failed',
    labelNames: ['provider', 'end'],
    registers,
    collect() {
      this.reset();
      for (const [provider, parts] of byProvider) {
        for (const part of parts) {
          for (const [end, count] of Object.entries(part.activity().questions)) this.inc({ provider, end }, count);
        }
      }
    },
  });
  new Gauge({
    name: 'barline_upstream_answer_age_seconds',
    help: 'Time since the latest answer of a provider; absent before the first',
    labelNames: ['provider'],
    registers,
    collect() {
      for (const [provider, parts] of byProvider) {
        const ages = parts.flatMap((part) => part.activity().answerAgeMs ?? []);
        if (ages.length > 0) this.set({ provider }, Math.min(...ages) / 1_000);
      }
    },
  });
}
