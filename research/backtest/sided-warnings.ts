import {
  type BarSeries,
  type ExecutionConfig,
  FUNDING_COLUMN,
  idleSettings,
  type Simulation,
} from '../../engine/index.js';

/** From this share of expired orders on, a flat curve says little. */
const EXPIRED_SHARE_MAX = 0.25;

/** What to know about shorts, margin, resting orders and settings before believing the figures. */
export function sidedWarnings({ trades, sided }: Simulation, bars: BarSeries, config: ExecutionConfig): string[] {
  if (sided === undefined) return [];
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
  const idle = idleSettings(config);
  if (idle.length > 0) warnings.push(`settings-without-effect: ${idle.join('; ')}`);
  return warnings;
}
