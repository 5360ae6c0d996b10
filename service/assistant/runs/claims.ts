import type { Tested } from '../working.js';

/** Figures of a run to which a model may point, and their words. */
const figures = {
  total_return: 'return',
  sharpe_ratio: 'Sharpe ratio',
  max_drawdown: 'largest drawdown',
  win_rate: 'win rate',
  trade_count: 'number of trades',
} as const;

type Metric = keyof typeof figures;

export const metrics = Object.keys(figures) as readonly Metric[];

const LUCK_P_MAX = 0.05;

/** What may be claimed of a run, each with its check and its words. */
const checks = {
  made_money: { holds: ({ figures }) => figures.total_return > 0, words: 'made money' },
  lost_money: { holds: ({ figures }) => figures.total_return < 0, words: 'lost money' },
  beat_holding: { holds: ({ figures, tested }) => figures.total_return > tested.market_return, words: 'beat holding' },
  trailed_holding: {
    holds: ({ figures, tested }) => figures.total_return < tested.market_return,
    words: 'made less than holding',
  },
  best_of_all: { holds: ({ place, tested }) => tested.best === place, words: 'is the best of these candidates' },
  passes_luck: {
    holds: ({ place, tested }) => tested.best === place && tested.luck_p !== null && tested.luck_p <= LUCK_P_MAX,
    words: 'passes the test against luck',
  },
  fails_luck: {
    holds: ({ place, tested }) => tested.best === place && tested.luck_p !== null && tested.luck_p > LUCK_P_MAX,
    words: 'does not pass the test against luck',
  },
} as const satisfies Readonly<Record<string, { holds: (run: Claimed) => boolean; words: string }>>;

interface Claimed {
  readonly place: number;
  readonly figures: Tested['candidates'][number]['figures'];
  readonly tested: Tested;
}

export const claims = Object.keys(checks);

/** The claims that hold and the figures that exist, in the words of the product. */
export function claimWords(
  tested: Tested | null,
  said: {
    readonly figures: readonly { readonly candidate: number; readonly metric: string }[];
    readonly claims: readonly { readonly candidate: number; readonly claim: string }[];
  },
): string[] {
  if (tested === null) return [];
  const claimedRun = (candidate: number): Claimed | null => {
    const run = tested.candidates[candidate - 1];
    return run === undefined ? null : { place: candidate - 1, figures: run.figures, tested };
  };
  return [
    ...said.figures.flatMap(({ candidate, metric }) => {
      const run = claimedRun(candidate);
      return run === null ? [] : [`Candidate ${candidate}: ${figureWords(run.figures, metric as Metric)}.`];
    }),
    ...said.claims.flatMap(({ candidate, claim }) => {
      const run = claimedRun(candidate);
      const check = checks[claim as keyof typeof checks];
      return run !== null && check.holds(run) ? [`Candidate ${candidate} ${check.words}.`] : [];
    }),
  ];
}

function figureWords(all: Claimed['figures'], metric: Metric): string {
  const value = all[metric];
  const words =
    value === null
      ? 'undefined'
      : metric === 'trade_count'
        ? String(value)
        : metric === 'sharpe_ratio'
          ? value.toFixed(2)
          : `${(100 * value).toFixed(1)} %`;
  return `${figures[metric]} ${words}`;
}
