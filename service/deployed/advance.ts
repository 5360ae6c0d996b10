import { derivedUuid } from '../../data/hashes/index.js';
import { type PaperAccount, paperValue, type StepBar, stepPaper } from '../../engine/execution/index.js';
import { isPaperPortfolio } from '../../engine/portfolio/index.js';
import { advancePortfolio } from './advance-portfolio.js';
import type { Deployed, DeployedDefinition } from './definition.js';
import { type Advance, EventLog, shownTrade } from './event-log.js';
import type { NextBar } from './next-bar.js';
import type { DeployedProgress } from './stored.js';

/**
 * Takes a strategy through its next bar with the `step` of backtests, so that its trades and
 * account equal a backtest's over the same bars, to the last bit. `held` is not changed.
 */
export function advance(deployed: Deployed, held: DeployedProgress, bar: NextBar): Advance {
  const { account } = held;
  if ('portfolio' in deployed) {
    if (isPaperPortfolio(account)) return advancePortfolio(deployed, held, account, bar);
  } else if (!isPaperPortfolio(account) && 'bar' in bar) return advanceOne(deployed, held, account, bar.bar);
  throw new Error(`the account of ${deployed.id} is not that of its definition`);
}

function advanceOne(deployed: DeployedDefinition, held: DeployedProgress, before: PaperAccount, bar: StepBar): Advance {
  const { config, intervalMs, id } = deployed;
  const idOf = (index: number, side: 'long' | 'short') =>
    derivedUuid('deployed', id, 'position', index, ...(side === 'short' ? [side] : []));
  const { account, events } = stepPaper(before, { ...bar, isLast: false }, config, idOf);
  const value = paperValue(account, bar.close, config);
  const log = new EventLog(deployed, value);
  for (const event of events) log.add(event, bar.open, config);
  const { highestStep, lowestStep } = log.milestones(held, config.initial_balance, bar.time + intervalMs);
  const labels = { strategy: deployed.name, asset: deployed.asset, exitMs: bar.time };
  const trades = events.flatMap((event) => shownTrade(event, labels));
  const totalTrades = held.totalTrades + trades.length;
  const progress = { account, accountValue: value, lastPrice: bar.close, totalTrades, highestStep, lowestStep };
  return { progress, trades, events: log.events };
}
