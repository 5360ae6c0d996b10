import { sha256 } from '../../../data/hashes/index.js';
import { canonicalJson } from '../../../engine/canonical-json.js';
import { type BarSeries, closeOfLast, formatInterval, isoTime } from '../../../engine/series/index.js';
import type { SweepDataset } from '../../../engine/sweep/index.js';
import { withoutDefaultCosts } from '../settings.js';
import type { PortfolioPlan } from './plan.js';

/** Assets that a label names. */
const ASSETS_NAMED = 6;

/** The portfolio as a dataset of a sweep: its assets together, with the data of all of them. */
export function portfolioDataset(
  assets: readonly string[],
  market: BarSeries,
  contentHashes: readonly string[],
): SweepDataset {
  const label =
    assets.length <= ASSETS_NAMED
      ? assets.join('+')
      : `${assets.length} assets ${sha256(assets.join(' ')).slice(0, 8)}`;
  return {
    asset: label,
    timeframe: formatInterval(market.intervalMs),
    file: '',
    hash: `sha256:${sha256(contentHashes.join(' '))}`,
    rows: market.barCount,
    start_date: isoDay(market.time[0] ?? Number.NaN),
    end_date: isoDay(closeOfLast(market) - 1),
    columns: [],
    added: {},
    generated: [],
  };
}

const isoDay = (ms: number): string => isoTime(ms).slice(0, 10);

const IDENTITY_DIGITS = 16;

/** Identity of a portfolio on its data, as the ledger of tries keeps it, whether or not it says default costs. */
export const portfolioTry = ({ hash, start_date, end_date, timeframe }: SweepDataset, portfolio: unknown): string =>
  sha256(
    canonicalJson([hash, start_date, end_date, timeframe, withoutDefaultCosts(portfolio as Record<string, unknown>)]),
  ).slice(0, IDENTITY_DIGITS);

/** The same of a run of a sweep. */
export const hashRunConfig = (
  { plan, datasets }: { readonly plan: PortfolioPlan; readonly datasets: readonly SweepDataset[] },
  run: number,
): string =>
  // biome-ignore lint/style/noNonNullAssertion: every run has a window
  portfolioTry(datasets[Math.floor(run / plan.combinations)]!, plan.portfolioAt(run % plan.combinations));

/**
 * Identity of what a sweep tries, whatever the assets: the same plan on others, or without one of
 * them, is known by it.
 */
export function portfolioShape({ base, axes, walkForward, assets }: PortfolioPlan): string {
  // Texts of other places, formulas among them, are no names of assets.
  const isAsset = new Set(assets);
  const nameless = (value: unknown): unknown => {
    if (typeof value === 'string') return isAsset.has(value.trim().toUpperCase()) ? '' : value;
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, nameless(each)]));
    }
    // Assets and members that differ in nothing else are one.
    return [...new Map(value.map((each) => [canonicalJson(nameless(each)), nameless(each)])).values()];
  };
  const { name: _, description: __, ...portfolio } = base;
  const varied = axes.map(({ param, values }) => [param, values]);
  return sha256(canonicalJson([nameless(portfolio), nameless(varied), walkForward])).slice(0, IDENTITY_DIGITS);
}

/** Identity of what a sweep tries, whatever the seed and the days. */
export const portfolioPlanIdentity = ({ base, axes, walkForward }: PortfolioPlan): string =>
  sha256(canonicalJson([base, axes.map(({ param, values }) => [param, values]), walkForward])).slice(
    0,
    IDENTITY_DIGITS,
  );
