import {
  denialReasons,
  type ExecutionConfig,
  entryFill,
  idleSettingWarnings,
  isSoldAtOpen,
  type Simulation,
  type SizeLimit,
  spendableCash,
  type Trade,
} from '../execution/index.js';
import { type BarSeries, FUNDING_COLUMN } from '../series/index.js';

type Counts = Partial<Record<SizeLimit, number>>;

export interface SizeLimits {
  /** Filled entries by the limit that made them smaller. */
  readonly limited: Readonly<Counts>;
  /** Entries that a limit made smaller than `min_trade_amount`, so that they were denied. */
  readonly tooSmall: Readonly<Counts>;
}

/** An entry that was filled, or denied as too small; one a bar. */
interface Wanted {
  readonly bar: number;
  /** Bar whose volume caps the size: the one that decided the entry. */
  readonly decisionBar: number;
  /** The fill, slippage included. */
  readonly price: number;
  /** Base asset; null for a denied one. */
  readonly size: number | null;
}

/** Relative rounding of the cash that is left after some thousand trades. */
const CASH_TOLERANCE = 1e-9;

/**
 * Which limits bound the sizes of a run. It looks at the finished run, so that the simulation stays
 * as it is. Funding of open positions is not known here, so with funding `cash` counts too few.
 */
export function sizeLimits(simulation: Simulation, bars: BarSeries, config: ExecutionConfig): SizeLimits {
  const { trades } = simulation;
  const limited: Counts = {};
  const tooSmall: Counts = {};
  if (simulation.sided !== undefined) return sidedSizeLimits(simulation, bars, config);
  let cash = config.initial_balance;
  let closed = 0;
  let opened = 0;
  for (const wanted of wantedEntries(simulation, bars, config)) {
    for (let trade = trades[closed]; trade !== undefined; trade = trades[++closed]) {
      const isBefore = trade.exitBar < wanted.bar || (trade.exitBar === wanted.bar && isSoldAtOpen(trade.exitReason));
      if (!isBefore) break;
      cash += trade.size * trade.exitPrice - trade.exitFee - trade.fundingPaid;
    }
    const limit = bindingLimit(wanted, spendableCash(cash, config), bars, config);
    const counts = wanted.size === null ? tooSmall : limited;
    // Cash that is not in positions is all that the account has, which no setting limits.
    const isOwn = wanted.size === null && limit === 'cash' && opened === closed;
    if (limit !== null && !isOwn) counts[limit] = (counts[limit] ?? 0) + 1;
    if (wanted.size !== null) opened++;
    cash -= (wanted.size ?? 0) * wanted.price * (1 + config.fee_pct);
  }
  return { limited, tooSmall };
}

/**
 * The same for a run of sides, margin and orders, whose cash at each close is known. Entries that
 * fill inside a bar, and the decision bars of orders that rested, are known only approximately.
 */
function sidedSizeLimits(simulation: Simulation, bars: BarSeries, config: ExecutionConfig): SizeLimits {
  const { trades, sided, equity } = simulation;
  const limited: Counts = {};
  const tooSmall: Counts = {};
  const first = bars.barCount - equity.length;
  const freedAtOpens = new Map<number, number>();
  for (const trade of trades) {
    if (!isSoldAtOpen(trade.exitReason)) continue;
    freedAtOpens.set(trade.exitBar, (freedAtOpens.get(trade.exitBar) ?? 0) + saleProceeds(trade));
  }
  const entered = trades.toSorted((a, b) => a.entryBar - b.entryBar);
  let held: Trade[] = []; // entered before the bar and not sold by its open
  let next = 0;
  for (const wanted of wantedEntries(simulation, bars, config)) {
    const { bar } = wanted;
    for (let trade = entered[next]; trade !== undefined && trade.entryBar < bar; trade = entered[++next])
      held.push(trade);
    held = held.filter(({ exitBar, exitReason }) => exitBar > bar || (exitBar === bar && !isSoldAtOpen(exitReason)));
    const before = bar - first - 1;
    const cash = sided?.cash[before] ?? config.initial_balance;
    const freed = freedAtOpens.get(bar) ?? 0;
    const gross = held.reduce((sum, { size }) => sum + size * (bars.open[bar] ?? 0), 0);
    const value = equity[before] ?? config.initial_balance; // stands for that at the open
    const room = (config.max_gross_exposure ?? Infinity) * value - gross;
    const limit = bindingLimit(wanted, spendableCash(cash + freed, config), bars, config, room);
    const counts = wanted.size === null ? tooSmall : limited;
    if (limit !== null) counts[limit] = (counts[limit] ?? 0) + 1;
  }
  return { limited, tooSmall };
}

/** What a sale returned to the cash: its margin with the gain, or all of its price. */
function saleProceeds({ size, exitPrice, exitFee, entryFee, profitLoss, fundingPaid, details }: Trade): number {
  if (details?.margin == null) return size * exitPrice - exitFee;
  return details.margin.amount + profitLoss + entryFee + fundingPaid + details.borrowPaid;
}

/** In the order of their bars, as denials are; trades are in the order of their exits. */
function* wantedEntries({ trades, denials }: Simulation, bars: BarSeries, config: ExecutionConfig): Iterable<Wanted> {
  let denial = 0;
  const deniedUntil = function* (end: number): Iterable<Wanted> {
    for (; denial < denials.count; denial++) {
      const bar = denials.bars[denial] ?? end;
      if (bar >= end) break;
      const isTooSmall = denialReasons[denials.reasons[denial] ?? 0] === 'min_trade_amount';
      if (isTooSmall) yield { bar, decisionBar: bar - 1, price: entryFill(bars.open[bar] ?? NaN, config), size: null };
    }
  };
  for (const { entryBar: bar, entryPrice: price, size } of trades.toSorted((a, b) => a.entryBar - b.entryBar)) {
    yield* deniedUntil(bar);
    yield { bar, decisionBar: bar - 1, price, size };
  }
  yield* deniedUntil(Infinity);
}

/** The smallest limit, if it bound the size. */
function bindingLimit(
  { decisionBar, price, size }: Wanted,
  spendable: number,
  bars: BarSeries,
  config: ExecutionConfig,
  exposureRoom = Infinity,
) {
  const { max_volume_share: share, min_trade_amount, fee_pct, leverage = 1 } = config;
  const caps: readonly [SizeLimit, number][] = [
    ['max_units_per_trade', config.max_units_per_trade],
    ['max_trade_amount', config.max_trade_amount / price],
    ['max_volume_share', share === null ? Infinity : share * (bars.volume[decisionBar] ?? Infinity)],
    ['max_gross_exposure', exposureRoom / price],
    ['cash', spendable / (price * (1 / leverage + fee_pct))],
  ];
  const [limit, units] = caps.reduce((least, cap) => (cap[1] < least[1] ? cap : least));
  const binds = size === null ? units * price < min_trade_amount : size >= units * (1 - CASH_TOLERANCE);
  return binds ? limit : null;
}

/** As the summary and the page name the limits. */
export const sizeLimitNames = {
  max_units_per_trade: 'max_units_per_trade',
  max_trade_amount: 'max_trade_amount',
  max_volume_share: 'max_volume_share',
  max_gross_exposure: 'max_gross_exposure',
  min_balance_threshold: 'min_balance_threshold, which keeps cash back',
  cash: 'all cash invested',
} as const satisfies Record<SizeLimit, string>;

const raise = (name: string): string => `raise ${name}`;

/** What lets an entry be larger. */
export const sizeRemedies = {
  max_units_per_trade: `${raise('max_units_per_trade')}, which counts units of the asset whatever they cost`,
  max_trade_amount: raise('max_trade_amount'),
  max_volume_share: raise('max_volume_share'),
  max_gross_exposure: raise('max_gross_exposure'),
  min_balance_threshold: 'lower min_balance_threshold',
  cash: 'the cash is in open positions, so lower max_risk_per_trade or max_open_positions',
} as const satisfies Record<SizeLimit, string>;

/** From this share of the entries on, a limit is worth a warning. */
const WARNED_SHARE = 0.1;

/** Warns of limits in units or amounts that shape the result; cash is what the account has. */
export function sizeWarnings({ limited, tooSmall }: SizeLimits, entries: number, config: ExecutionConfig): string[] {
  const names = ['max_units_per_trade', 'max_trade_amount', 'max_volume_share'] as const;
  return names.flatMap((name) => {
    const bound = (limited[name] ?? 0) + (tooSmall[name] ?? 0);
    const wanted = entries + Object.values(tooSmall).reduce((sum, count) => sum + count, 0);
    if (bound === 0 || bound < WARNED_SHARE * wanted) return [];
    return [`${name} of ${config[name]} made ${bound} of ${wanted} entries smaller: ${sizeRemedies[name]}`];
  });
}

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
