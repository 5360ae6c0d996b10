import { type ExecutionConfig, idleSettingWarnings, type Simulation } from '../../engine/execution/index.js';
import { type BarSeries, FUNDING_COLUMN } from '../../engine/series/index.js';

/** From this share of expired orders on, a flat curve says little. */
const EXPIRED_SHARE_MAX = 0.25;

/**
 * What to know about shorts, margin, resting orders and settings before believing the figures.
 * @param hasShortRules whether the run could have gone short
 */
export function sidedWarnings(
  { trades, sided }: Simulation,
  bars: BarSeries,
  config: ExecutionConfig,
  hasShortRules: boolean,
): string[] {
  const unread = idleSettingWarnings(config, hasShortRules);
  if (sided === undefined) return unread;
  const warnings: string[] = [];
  const hasShorts = trades.some(({ details }) => details?.side === 'short');
  const isFree = (config.borrow_rate ?? 0) === 0 && bars.columns[FUNDING_COLUMN] === undefined;
  if (hasShorts && isFree) {
    warnings.push('short-without-borrow-cost: shorts paid neither funding nor borrowing; set borrow_rate');
  }
  const behind = trades.filter(({ details }) => {
    if (details === undefined) return false;
    const sign = details.side === 'long' ? 1 : -1;
    return sign * details.initialStopPrice <= sign * (details.margin?.liquidationPrice ?? Number.NaN);
  }).length;
  if (behind > 0) {
    warnings.push(
      `stop-behind-liquidation: the first stop of ${behind} trades lay at or beyond their liquidation price`,
    );
  }
  const { placed, expired } = sided.orders;
  if (expired > EXPIRED_SHARE_MAX * placed) {
    const share = `${((100 * expired) / placed).toFixed(1)} %`;
    warnings.push(`orders-expired: ${share} of the ${placed} placed entry orders expired without a fill`);
  }
  return [...warnings, ...unread];
}

/** What the timing of entries at limits leans on; a verdict says it, since its tests cannot see it. */
export function limitWarnings({ trades }: Pick<Simulation, 'trades'>, config: ExecutionConfig): string[] {
  if (config.entry_order !== 'limit' || typeof config.detail_interval === 'string' || trades.length === 0) return [];
  return [
    'adverse-selection: limit entries fill in every bar that goes through their price. On a market they fill most surely ' +
      'when the price goes on against them, and a random entry waits for no price: compare with entry_order market, ' +
      'or set detail_interval',
  ];
}
