import { derivedUuid } from '../../data/hashes/index.js';
import {
  isPaperPortfolio,
  isSidedAccount,
  isSoldAtOpen,
  type PaperAccount,
  type PaperPosition,
  type SidedBar,
  type SidedPaperAccount,
  sidedPaperValue,
  step,
  stepPaper,
  type Trade,
} from '../../engine/index.js';
import { showTrade } from '../../research/backtest/index.js';
import { advancePortfolio } from './advance-portfolio.js';
import type { Deployed, DeployedDefinition } from './definition.js';
import { type Advance, EventLog, sidedTrade } from './event-log.js';
import type { LongBar, NextBar } from './next-bar.js';
import type { DeployedProgress } from './stored.js';

/**
 * Takes a strategy through its next bar with the `step` of backtests, so that its trades and
 * account equal those of a backtest over the same bars, to the last bit. `held` is not changed.
 */
export function advance(deployed: Deployed, held: DeployedProgress, bar: NextBar): Advance {
  const { account } = held;
  if ('portfolio' in deployed) {
    if (isPaperPortfolio(account)) return advancePortfolio(deployed, held, account, bar);
  } else if (!isPaperPortfolio(account)) {
    if (isSidedAccount(account)) {
      if ('sided' in bar) return advanceSided(deployed, held, account, bar.sided);
    } else if ('long' in bar) return advanceLong(deployed, held, account, bar.long);
  }
  throw new Error(`the account of ${deployed.id} is not that of its definition`);
}

function advanceLong(
  deployed: DeployedDefinition,
  held: DeployedProgress,
  before: PaperAccount,
  bar: LongBar,
): Advance {
  const { config, intervalMs } = deployed;
  const account = structuredClone(before);
  const index = account.lastBar + 1;
  const isWanted = account.pendingEntry !== null;
  const known = new Map(account.positions.map(({ entryBar, id, entryTime }) => [entryBar, { id, entryTime }]));
  const own = { id: derivedUuid('deployed', deployed.id, 'position', index), entryTime: bar.time };
  const { trades, denial, value } = step(account, { ...bar, index, isLast: false }, config);
  account.positions = account.positions.map((position) => kept(position, known.get(position.entryBar) ?? own));
  account.lastBar = index;
  account.lastBarTime = bar.time;

  const originOf = (trade: Trade) => known.get(trade.entryBar) ?? own;
  const log = new EventLog(deployed, value);
  const sales = (atOpen: boolean) => trades.filter(({ exitReason }) => isSoldAtOpen(exitReason) === atOpen);
  for (const trade of sales(true)) log.exit(trade, originOf(trade).id, bar.time);
  if (denial !== null) log.denied(denial, bar);
  else if (isWanted) log.entry(boughtIn(index, account.positions, trades), own.id, bar.time);
  for (const trade of sales(false)) log.exit(trade, originOf(trade).id, bar.time);
  const { highestStep, lowestStep } = log.milestones(held, config.initial_balance, bar.time + intervalMs);

  const labels = { strategy: deployed.name, asset: deployed.asset, exitMs: bar.time };
  const shown = trades.map((trade) => {
    const { id, entryTime } = originOf(trade);
    return showTrade(trade, { ...labels, tradeId: derivedUuid(id, 'trade'), positionId: id, entryMs: entryTime });
  });
  const totalTrades = held.totalTrades + trades.length;
  const progress = { account, accountValue: value, lastPrice: bar.close, totalTrades, highestStep, lowestStep };
  return { progress, trades: shown, events: log.events };
}

/** The same with sides, margin, working orders, moving levels and guards. */
function advanceSided(
  deployed: DeployedDefinition,
  held: DeployedProgress,
  before: SidedPaperAccount,
  bar: SidedBar,
): Advance {
  const { config, intervalMs, id } = deployed;
  const idOf = (index: number, side: 'long' | 'short') =>
    derivedUuid('deployed', id, 'position', index, ...(side === 'short' ? [side] : []));
  const { account, events } = stepPaper(before, { ...bar, isLast: false }, config, idOf);
  const value = sidedPaperValue(account, bar.close, config);
  const log = new EventLog(deployed, value);
  for (const event of events) log.sided(event, bar.open, config);
  const { highestStep, lowestStep } = log.milestones(held, config.initial_balance, bar.time + intervalMs);
  const labels = { strategy: deployed.name, asset: deployed.asset, exitMs: bar.time };
  const trades = events.flatMap((event) => sidedTrade(event, labels));
  const totalTrades = held.totalTrades + trades.length;
  const progress = { account, accountValue: value, lastPrice: bar.close, totalTrades, highestStep, lowestStep };
  return { progress, trades, events: log.events };
}

/** Makes a position storable: JSON has no infinity. */
const kept = (
  position: Omit<PaperPosition, 'id' | 'entryTime'>,
  origin: Pick<PaperPosition, 'id' | 'entryTime'>,
): PaperPosition => ({ ...position, ...origin, targetPrice: Math.min(position.targetPrice, Number.MAX_VALUE) });

/** The entry of a bar, which may have been closed within the same bar. */
const boughtIn = (index: number, positions: readonly PaperPosition[], trades: readonly Trade[]) =>
  // biome-ignore lint/style/noNonNullAssertion: the bar entered, so one of the two holds its trade
  positions.find(({ entryBar }) => entryBar === index) ?? trades.find(({ entryBar }) => entryBar === index)!;
