import { type MethodName, meterName, methodNames } from '../../contract/index.js';
import type { MeteredResource } from '../identity/index.js';

/**
 * What a metered call costs and which monthly counter it draws from. Each call is one unit, however
 * much work it starts.
 */
export interface Meter {
  readonly unitPriceUsd: number;
  /** What a wallet pays for a call, if that differs: it has no tier that includes some. */
  readonly walletPriceUsd?: number;
  readonly counter: MeteredResource;
  /** What the tier of the caller must include; checked before the counter moves. */
  readonly entitlement?: string;
}

export const meters = {
  oracle_backtest: { unitPriceUsd: 0.1, counter: 'api_calls' },
  oracle_data_query: { unitPriceUsd: 0.1, counter: 'oracle_data_queries' },
  oracle_experiment: { unitPriceUsd: 0.25, counter: 'api_calls' },
  oracle_results_read: { unitPriceUsd: 0.01, counter: 'api_calls' },
  kb_call: { unitPriceUsd: 0.01, counter: 'api_calls' },
  oracle_simulate: { unitPriceUsd: 0.1, counter: 'api_calls' },
  defi_pro: { unitPriceUsd: 0, walletPriceUsd: 0.01, counter: 'defi_pro_calls', entitlement: 'defi_pro' },
} as const satisfies Readonly<Record<string, Meter>>;

/** What a wallet pays for a call of a meter; 0 where it is not sold. */
export const walletPriceUsd = ({ unitPriceUsd, walletPriceUsd: own = unitPriceUsd }: Meter): number => own;

export type MeterName = keyof typeof meters;

export type MethodMeters = Readonly<Partial<Record<MethodName, MeterName>>>;

const metered = methodNames.flatMap((method): [MethodName, MeterName][] => {
  const meter = meterName(method);
  return meter === null ? [] : [[method, meter]];
});

/**
 * The meter of each metered method; calls of the others are free and not counted. Polls count like
 * submits. Creating an experiment and launching it count as one call, at the creation.
 */
export const methodMeters: MethodMeters = Object.fromEntries(metered);
