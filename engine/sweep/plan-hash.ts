import { canonicalJson } from '../canonical-json.js';
import type { Selection, SideSelection, SweepDataset, SweepDefinition } from './definition.js';
import { RunIdentity, type Sha256, type SweepRun } from './run.js';
import type { SweepPlan } from './sweep-plan.js';

const IDENTITY_DIGITS = 16;

/** SHA-256 of texts, each but the last followed by a line feed, in hex digits. */
type Sha256OfLines = (lines: Iterable<string>) => string;

/**
 * The hash of a plan; two plans with the same hash are the same. It is the SHA-256 over the
 * identities of all runs, in their order. A model-based search chooses its runs by its results, so
 * its hash is the SHA-256 of the configuration and the datasets. Some 3 microseconds a run.
 * @param onRun called with each run that is hashed, so that the caller need not decode it again
 */
export function planHash(
  sweep: unknown,
  { definition, plan }: { readonly definition: SweepDefinition; readonly plan: SweepPlan },
  { sha256, sha256OfLines }: { readonly sha256: Sha256; readonly sha256OfLines: Sha256OfLines },
  onRun?: (run: SweepRun) => void,
): string {
  if (plan.search !== null) return sha256(canonicalJson([sweep, definition.datasets]));
  const identity = new RunIdentity(definition, sha256);
  function* identities(): Iterable<string> {
    // What the sieve skips depends on its model, so the plan is another one with another model.
    if (plan.sieveVersion !== undefined) yield canonicalJson({ ...definition.sieve, model: plan.sieveVersion });
    for (let i = 0; i < plan.totalRuns; i++) {
      const run = plan.run(i);
      onRun?.(run);
      yield identity.configHash(run);
    }
  }
  return sha256OfLines(identities());
}

/**
 * The identity of what a sweep tries, whatever it is tried on: of its rules, settings and way to
 * search, without name, seed and datasets. Whoever moves a plan from asset to asset until one
 * passes, has tried as often as there were assets.
 */
export function planIdentity(definition: SweepDefinition, sha256: Sha256): string {
  const { mode, walkForward, entry, exit, short, combinationCount, sampleCount, randomSignals, tpe, variants } =
    definition;
  const group = (selection: Selection) => {
    const rules = (signals: Selection['triggers']) =>
      signals.map(({ signal, role, timeframe, reach, params, axes, constraints }) => ({
        ...{ name: signal.name, role, timeframe, params, constraints, ...reach },
        axes: axes.map(({ name, values }) => [name, values]),
      }));
    return { ...selection, triggers: rules(selection.triggers), filters: rules(selection.filters) };
  };
  const rulesOf = (side: SideSelection) => (side.length === 1 ? group(side[0]) : side.map(group));
  const search = { mode, walkForward, combinationCount, sampleCount, randomSignals, tpe };
  const settings = { base: variants.base, axes: variants.axes.map(({ path, values }) => [path, values]) };
  const shortRules = short === null ? {} : { short: { entry: rulesOf(short.entry), exit: rulesOf(short.exit) } };
  const plan = { ...search, entry: rulesOf(entry), exit: rulesOf(exit), ...shortRules, ...settings };
  return sha256(canonicalJson(plan)).slice(0, IDENTITY_DIGITS);
}

/** The identity of a plan, drawn with a seed, on one window of one series of bars. */
export function triedIdentity(
  plan: string,
  seed: number,
  { asset, timeframe, hash, start_date, end_date }: SweepDataset,
  sha256: Sha256,
): string {
  return sha256([plan, seed, asset, timeframe, hash, start_date, end_date].join(' ')).slice(0, IDENTITY_DIGITS);
}
