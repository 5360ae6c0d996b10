import { mustBe } from '../errors.js';
import type { MetricName } from '../metrics/index.js';
import type { TpeSettings } from './definition.js';
import type { Problems } from './problems.js';
import { isRankingMetric, notRankable } from './ranking-metrics.js';

type Json = Readonly<Record<string, unknown>>;

const TPE_KEYS = ['trials', 'startup_trials', 'batch', 'candidates', 'good_fraction', 'metric'];
/** A batch reads all trials before it, so the cost grows with the square of the trials. */
const TRIALS_MAX = 100_000;
const BATCH_MAX = 4_096;
const CANDIDATES_MAX = 1_000;
const GOOD_FRACTION_MAX = 0.5;
const STARTUP_TRIALS = 64;
const defaults = { batch: 32, candidates: 24, good_fraction: 0.15, metric: 'sharpe_ratio' };

/**
 * Reads `tpe` of a sweep: `{trials, startup_trials, batch, candidates, good_fraction, metric}`,
 * only trials is required.
 */
export function readTpe(sweep: Json, problems: Problems): TpeSettings | null {
  const { tpe: json } = sweep;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    problems.error(mustBe('tpe', `an object {${TPE_KEYS.join(', ')}}`, json));
    return null;
  }
  problems.unknown('tpe', json, TPE_KEYS);
  const sent = { ...defaults, ...json } as Json;
  const trials = problems.integer('tpe.trials', sent.trials, 1, TRIALS_MAX);
  // A model of few trials is worth little, but a search that never reaches its model is worth
  // nothing.
  const startup = Math.min(STARTUP_TRIALS, Math.max(1, Math.floor(trials / 4)));
  return {
    trials,
    startupTrials: problems.integer('tpe.startup_trials', sent.startup_trials ?? startup, 1, trials),
    batch: problems.integer('tpe.batch', sent.batch, 1, BATCH_MAX),
    candidates: problems.integer('tpe.candidates', sent.candidates, 1, CANDIDATES_MAX),
    goodFraction: readGoodFraction(sent.good_fraction, problems),
    metric: readMetric(sent.metric, problems),
  };
}

function readGoodFraction(value: unknown, problems: Problems): number {
  if (typeof value === 'number' && value > 0 && value <= GOOD_FRACTION_MAX) return value;
  problems.error(mustBe('tpe.good_fraction', `above 0 and at most ${GOOD_FRACTION_MAX}`, value));
  return defaults.good_fraction;
}

function readMetric(value: unknown, problems: Problems): MetricName {
  if (isRankingMetric(value)) return value;
  problems.error(notRankable('tpe.metric', value));
  return 'sharpe_ratio';
}
