import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { openStoredMarketData } from '../../data/providers/index.js';
import { GeneratedFlows, Ledger } from '../../data/upstreams/flows/index.js';
import { findToken, HourlyMarkets, type Token } from '../../data/upstreams/index.js';
import { GeneratedWhales } from '../../data/upstreams/whales/index.js';
import { root } from './tree.js';

/** Held token flows and whale transfers over the bundled bars. */
export function onChainWorld() {
  const store = openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') });
  const ledger = new Ledger(new HourlyMarkets({ store, market: openStoredMarketData(store) }));
  return { ledger, flows: new GeneratedFlows(ledger), whales: new GeneratedWhales(ledger) };
}

export function tokenOf(name: string): Token {
  const found = findToken(name);
  if (found === null) throw new Error(`${name} is not in the table of tokens`);
  return found.token;
}
