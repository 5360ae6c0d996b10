import { id, time, z } from '../zod.js';

const names = z.array(z.string());

export const audit = z.object({
  success: z.literal(true),
  backtest_id: id(),
  run_id: z.string(),
  seed: z.int(),
  is_clean: z.boolean(),
  bars: z.int(),
  cuts: z.int(),
  histories: z.array(z.int()),
  findings: z.array(
    z.object({
      kind: z.enum(['look-ahead', 'warm-up', 'early-column']),
      what: z.string(),
      bar: z.int(),
      cut: z.int(),
      time: time(),
    }),
  ),
  drifts: z.array(z.object({ what: z.string(), history_bars: z.int(), relative: z.number() })),
  lags: z
    .array(
      z.object({
        column: z.string(),
        profit: z.number(),
        lagged_profit: z.number(),
        trades: z.int(),
        lagged_trades: z.int(),
        bars_late: z.int(),
      }),
    )
    .openapi({
      description:
        'for each column beside the bars that a rule reads: the profit as it is, and with the column late by as many bars as its values are apart',
    }),
  refused: names,
});
