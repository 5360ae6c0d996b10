import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import { type MarketData, openStoredMarketData } from '../../data/providers/index.js';
import { isUuid } from '../../data/state/index.js';
import { legacyCooldownFields, publishedDefaults } from '../../engine/execution/index.js';
import { requiredFields } from '../../service/backtests/index.js';
import type { Caller } from '../../service/caller.js';
import { root } from './tree.js';

export const bundledStore = openBars({ home: join(root, 'no-such-home'), sampleDir: join(root, 'sample') });
/** One for a whole file of tests, so that series are read once. */
export const bundledMarket: MarketData = openStoredMarketData(bundledStore);

const uuidOf = (name: string): string => sha256(name).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** A caller by their id, or by a name from which ids are made. */
export const callerOf = (user: string): Caller => ({
  userId: isUuid(user) ? user : uuidOf(user),
  orgId: uuidOf(`organization of ${user}`),
  role: 'member',
  tier: 'free',
  credential: 'session',
  credentialId: 'session',
  scopes: [],
});

const rule = (name: string, signal_type: string, params: object, timeframe = '1d') => ({
  name,
  signal_type,
  timeframe,
  params,
});

/** Trades a few times a year on daily bars. */
export const dipStrategy = {
  name: 'Dip buyer',
  asset: 'BTC',
  entry: [rule('rsi_oversold', 'TRIGGER', { window: 7, threshold: 45 })],
  exit: [rule('rsi_overbought', 'TRIGGER', { window: 7, threshold: 60 })],
};

/** Every field that a synchronous run requires. */
const required = [...requiredFields, ...legacyCooldownFields];
export const riskFields = Object.fromEntries(required.map((name) => [name, publishedDefaults[name]])) as Pick<
  typeof publishedDefaults,
  (typeof required)[number]
>;

export const runBody = {
  ...riskFields,
  asset: 'BTC',
  interval: '1d',
  strategy_json: JSON.stringify(dipStrategy),
  start_date: '2023-01-01',
  end_date: '2023-12-31',
};

/** A body without some of its fields; `runBody` by default. */
export const without = (names: readonly string[], body: object = runBody) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
