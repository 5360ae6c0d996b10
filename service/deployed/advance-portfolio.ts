import { derivedUuid } from '../../data/hashes/index.js';
import { type PaperPortfolio, stepAllocation, stepRules } from '../../engine/portfolio/index.js';
import { firstBarFrom } from '../../engine/series/index.js';
import { showTrade } from '../../research/backtest/index.js';
import type { DeployedPortfolio } from './definition.js';
import { type Advance, EventLog, shownTrade } from './event-log.js';
import type { NextBar } from './next-bar.js';
import type { DeployedProgress } from './stored.js';

/** Takes one account over many assets through its next time, with the step of its backtest. */
export function advancePortfolio(
  deployed: DeployedPortfolio,
  held: DeployedProgress,
  account: PaperPortfolio,
  bar: NextBar,
): Advance {
  const { portfolio, id } = deployed;
  if (portfolio.kind === 'members' && account.kind === 'members' && 'members' in bar) {
    const { members } = portfolio;
    const { start: time } = bar.members;
    const step = stepRules(account, bar.members, (member, index, side) => positionId(id, member, index, side));
    const log = new EventLog(deployed, step.value);
    const trades: object[] = [];
    for (const event of step.events) {
      const { member } = event;
      // biome-ignore lint/style/noNonNullAssertion: an event has one of the members, which has a bar then
      const [{ baseAsset: asset, strategy, config }, { bars }] = [members[member]!, bar.members.members[member]!];
      // biome-ignore lint/style/noNonNullAssertion: the same
      log.add(event, bars.open[firstBarFrom(bars, time)]!, config, { asset, member });
      const labels = { strategy: strategy.name, asset, exitMs: time };
      trades.push(...shownTrade(event, labels).map((trade) => ({ ...trade, member })));
    }
    return outcome(deployed, held, step, { log, trades, time });
  }
  if (portfolio.kind === 'allocation' && account.kind === 'allocation' && 'assets' in bar) {
    const { start: time } = bar.assets;
    const step = stepAllocation(account, bar.assets);
    const log = new EventLog(deployed, step.value);
    const trades: object[] = [];
    for (const fill of step.fills) {
      const { asset: member } = fill;
      // biome-ignore lint/style/noNonNullAssertion: a fill has one of the assets
      const { baseAsset: asset } = portfolio.assets[member]!;
      if (fill.kind === 'purchase') {
        // biome-ignore lint/style/noNonNullAssertion: the same
        const own = positionId(id, member, step.account.assets[member]!.entryBar);
        log.entry({ entryPrice: fill.price, size: fill.units }, own, time, { asset, member });
        continue;
      }
      const { trade } = fill;
      const own = positionId(id, member, trade.entryBar);
      log.exit(trade, own, time, { asset, member });
      const labels = { strategy: deployed.name, asset, exitMs: time };
      // Weights sell a position in parts; each part is a trade.
      const ids = { tradeId: derivedUuid(own, 'trade', time), positionId: own };
      // biome-ignore lint/style/noNonNullAssertion: what was sold had been bought
      const entryMs = account.assets[member]!.entryTime!;
      trades.push({ ...showTrade(trade, { ...labels, ...ids, entryMs }), member });
    }
    return outcome(deployed, held, step, { log, trades, time });
  }
  throw new Error(`the account of ${id} is not that of its definition`);
}

/** Id of a position that a member opened in one of its bars. */
export const positionId = (id: string, member: number, bar: number, side = 'long'): string =>
  derivedUuid('deployed', id, 'member', member, 'position', bar, side);

function outcome(
  { config, intervalMs }: DeployedPortfolio,
  held: DeployedProgress,
  { account, value }: { readonly account: PaperPortfolio; readonly value: number },
  { log, trades, time }: { readonly log: EventLog; readonly trades: readonly object[]; readonly time: number },
): Advance {
  const { highestStep, lowestStep } = log.milestones(held, config.initial_balance, time + intervalMs);
  const totalTrades = held.totalTrades + trades.length;
  const progress = { account, accountValue: value, lastPrice: null, totalTrades, highestStep, lowestStep };
  return { progress, trades, events: log.events };
}
