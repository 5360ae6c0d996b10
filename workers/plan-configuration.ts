import { createHash } from 'node:crypto';
import { sha256 } from '../data/hashes/index.js';
import { EngineError, planSweep, RunIdentity, readSweep, type SweepDefinition, viewBars } from '../engine/index.js';
import type { PlanResult, PlanTask } from './sweep-protocol.js';

/** Says of a configuration all that is wrong with it, or how many runs it has and which. */
export function planConfiguration({ sweep, toPlan, runsMax }: PlanTask): PlanResult {
  let next = 0;
  const { definition, errors, warnings } = readSweep(
    sweep,
    () => {
      // biome-ignore lint/style/noNonNullAssertion: one answer for each dataset that asks, in their order
      const one = toPlan[next++]!;
      if ('failure' in one) throw new EngineError(one.failure.code, one.failure.message);
      return one.dataset;
    },
    (dataset) =>
      // biome-ignore lint/style/noNonNullAssertion: one answer for each dataset that asks, in their order
      viewBars(toPlan.flatMap((one) => ('shared' in one && one.dataset === dataset ? [one.shared] : []))[0]!),
  );
  const refused = (problems: readonly string[]): PlanResult => ({
    errors: problems,
    warnings,
    totalRuns: 0,
    planHash: null,
    series: [],
  });
  if (definition === null) return refused(errors);
  try {
    return { errors: [], ...countRuns(definition, warnings, runsMax) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return refused([error.message]);
  }
}

function countRuns(
  definition: SweepDefinition,
  warnings: readonly string[],
  runsMax: number,
): Omit<PlanResult, 'errors'> {
  const asked = definition.datasets.length * definition.sampleCount; // 0 but in a random search
  if (asked > runsMax) return { warnings, totalRuns: asked, planHash: null, series: [] };
  const plan = planSweep(definition, { sha256, runsMax });
  const { totalRuns } = plan;
  const all = [...warnings, ...plan.warnings];
  if (totalRuns > runsMax) return { warnings: all, totalRuns, planHash: null, series: [] };
  const identity = new RunIdentity(definition, sha256);
  const hash = createHash('sha256');
  const runs = definition.datasets.map(() => 0);
  for (let i = 0; i < totalRuns; i++) {
    const run = plan.run(i);
    hash.update(i === 0 ? identity.configHash(run) : `\n${identity.configHash(run)}`);
    // biome-ignore lint/style/noNonNullAssertion: one answer for each dataset that asks, in their order
    runs[run.datasetIndex]!++;
  }
  // biome-ignore lint/style/noNonNullAssertion: one answer for each dataset that asks, in their order
  const series = definition.datasets.map((dataset, k) => ({ dataset, runs: runs[k]! }));
  return { warnings: all, totalRuns, planHash: hash.digest('hex'), series };
}
