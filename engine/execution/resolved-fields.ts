import type { ResolvedField } from './field.js';

const of = 'cooldown_config';

/** The fields that `resolveConfig` adds for the run interval. */
export const resolvedFields = {
  cooldown_short_loss_limit: { kind: 'integer', of, unit: 'losses', description: 'short tier; off when <= 0' },
  cooldown_short_window_bars: { kind: 'integer', of, unit: 'bars', description: 'short tier; off when <= 0' },
  cooldown_long_loss_limit: { kind: 'integer', of, unit: 'losses', description: 'long tier; off when <= 0' },
  cooldown_long_window_bars: { kind: 'integer', of, unit: 'bars', description: 'long tier; off when <= 0' },
  hold_limit_bars: {
    kind: 'integer',
    min: 1,
    nullable: true,
    unit: 'bars',
    description: 'longest holding time, from max_hold_bars or else max_hold_time_hours; null is off',
  },
} as const satisfies Readonly<Record<string, ResolvedField>>;
