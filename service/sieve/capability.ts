import { readSieve } from '../../data/sieve/index.js';
import type { Capability, Foundation } from '../capability.js';
import { SieveMarkets } from './markets.js';
import { type SieveDeps, scoreStrategies } from './score.js';

export function openSieve({ market, sampleDir, version }: Foundation): Capability<'Sieve'> {
  const loadSieve = lazySieve(sampleDir);
  const deps: SieveDeps = { markets: new SieveMarkets(market), loadSieve, codeVersion: version };
  return { methods: { 'Sieve.Score': (request) => scoreStrategies(request, deps) } };
}

/** Reads the model of the sieve at the first call; a folder without one is looked at again. */
function lazySieve(sampleDir: string) {
  let stored: ReturnType<typeof readSieve> = null;
  return () => {
    stored ??= readSieve(sampleDir);
    return stored;
  };
}
