import { normaliseAsset } from '../../data/bars/index.js';
import type { Signal, SignalCategory, SignalType } from '../../engine/signals/index.js';
import { SplitMix64 } from '../../engine/statistics/index.js';
import { signalsByName } from '../signals/records.js';

/** Changes whenever the method below changes. */
export const CANDIDATE_MODEL = 'keywords-1';

/** Keywords of a prompt and the signal categories that they stand for. */
const keywordCategories: Readonly<Record<string, readonly SignalCategory[]>> = {
  momentum: ['momentum'],
  'mean reversion': ['momentum', 'volatility'],
  breakout: ['volatility'],
  trend: ['trend'],
  oversold: ['momentum'],
  overbought: ['momentum'],
  volume: ['volume'],
};
const DEFAULT_KEYWORD = 'momentum';

interface Rule {
  readonly name: string;
  readonly signal_type: SignalType;
  readonly timeframe: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Candidate {
  readonly name: string;
  readonly asset: string;
  readonly timeframe: string;
  readonly entry: readonly Rule[];
  readonly exit: readonly Rule[];
}

interface CandidateRequest {
  readonly prompt: string;
  readonly asset: string;
  readonly timeframe: string;
  readonly count: number;
  readonly seed: number;
}

/** Draws for one candidate before a repetition is accepted. */
const DRAWS_MAX = 50;

/**
 * Suggests strategies for a prompt without a language model. Known keywords in it choose signal
 * categories. From these, a seeded generator draws one TRIGGER and one FILTER for the entry and,
 * half of the time, another TRIGGER for the exit, all with default parameters. Positions are long,
 * so no bearish signal is drawn for an entry and no bullish one for an exit. The same prompt and
 * seed give the same candidates.
 */
export function candidatesFor({ prompt, asset, timeframe, count, seed }: CandidateRequest) {
  const said = prompt.toLowerCase().replace(/[\s_-]+/g, ' ');
  const found = Object.keys(keywordCategories).filter((keyword) => said.includes(keyword));
  const keywords = found.length > 0 ? found : [DEFAULT_KEYWORD];
  const categories = new Set(keywords.flatMap((keyword) => keywordCategories[keyword] ?? []));
  const known = signalsByName.filter((signal) => categories.has(signal.category) && hasDefaults(signal));
  const entryTriggers = known.filter(({ type, bias }) => type === 'TRIGGER' && bias !== 'bearish');
  const entryFilters = known.filter(({ type, bias }) => type === 'FILTER' && bias !== 'bearish');
  const exitTriggers = known.filter(
    ({ type, bias }) => type === 'TRIGGER' && (bias === 'bearish' || bias === 'neutral'),
  );
  const random = new SplitMix64(seed);
  const toRule = ({ name, type, params }: Signal): Rule => ({
    name,
    signal_type: type,
    timeframe,
    params: Object.fromEntries(Object.entries(params).map(([param, spec]) => [param, spec.default])),
  });
  // biome-ignore lint/style/noNonNullAssertion: drawn below the length of a pool that is not empty
  const drawFrom = (pool: readonly Signal[]): Signal => pool[random.below(pool.length)]!;
  const draw = () => {
    const trigger = drawFrom(entryTriggers);
    const filter = drawFrom(entryFilters);
    const others = exitTriggers.filter(({ name }) => name !== trigger.name);
    const exit = random.below(2) === 1 ? [drawFrom(others)] : [];
    return { entry: [trigger, filter], exit };
  };
  const seen = new Set<string>();
  const candidates: Candidate[] = [];
  for (let i = 0; i < count; i++) {
    let drawn = draw();
    const drawnName = () => [...drawn.entry, ...drawn.exit].map(({ name }) => name).join('__');
    for (let again = 1; again < DRAWS_MAX && seen.has(drawnName()); again++) drawn = draw();
    seen.add(drawnName());
    candidates.push({
      name: `${normaliseAsset(asset).toLowerCase()}_${drawn.entry.map(({ name }) => name).join('_')}_${i + 1}`,
      asset,
      timeframe,
      entry: drawn.entry.map(toRule),
      exit: drawn.exit.map(toRule),
    });
  }
  return { keywords, candidates };
}

const hasDefaults = ({ params }: Signal): boolean => Object.values(params).every((spec) => spec.default !== undefined);
