import example from '../../examples/btc-trend.json' with { type: 'json' };
import type { Span } from '../charts/window-strip.js';
import type { SeriesName } from '../engine/protocol.js';

/** A rule as JSON has it. */
export interface RuleJson {
  readonly name: string;
  readonly signal_type: 'TRIGGER' | 'FILTER';
  readonly timeframe?: string | null;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly negate?: boolean;
  readonly within_bars?: number;
  readonly asset?: string;
}

/** A definition as JSON has it; keys that the form does not show are kept. */
export interface StrategyJson {
  readonly name: string;
  readonly asset?: string;
  readonly entry?: unknown;
  readonly exit?: unknown;
  readonly short_entry?: unknown;
  readonly short_exit?: unknown;
  readonly [key: string]: unknown;
}

export const sides = ['entry', 'exit', 'short_entry', 'short_exit'] as const;
export type SideKey = (typeof sides)[number];

/** What the view runs. */
export interface RunState {
  readonly series: SeriesName;
  readonly strategy: StrategyJson;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Null for all bars. */
  readonly window: Span | null;
}

/** A strategy of the examples at the costs of a taker on a large spot exchange, as in `barline demo`. */
const exampleRun: RunState = {
  series: { asset: 'BTC', interval: '1h' },
  strategy: example as StrategyJson,
  settings: { fee_pct: 0.001, slippage_pct: 0.0005 },
  window: null,
};

/** The run of an address; the example where it names none, or names one that nothing reads. */
export function runOfAddress({ run }: Readonly<Record<string, string>>): RunState {
  if (run === undefined) return exampleRun;
  try {
    return { ...exampleRun, ...(JSON.parse(run) as Partial<RunState>) };
  } catch {
    return exampleRun;
  }
}

export const addressOfRun = (state: RunState): Readonly<Record<string, string>> => ({ run: JSON.stringify(state) });

/** The rules of a side, where they are a plain list; null for a choice of lists, which JSON alone shows. */
export function rulesOn(strategy: StrategyJson, side: SideKey): readonly RuleJson[] | null {
  const rules = strategy[side] ?? [];
  return Array.isArray(rules) ? rules : null;
}

export function withRules(strategy: StrategyJson, side: SideKey, rules: readonly RuleJson[]): StrategyJson {
  if (rules.length > 0 || side === 'entry' || side === 'exit') return { ...strategy, [side]: rules };
  const { [side]: _, ...rest } = strategy;
  return rest;
}
