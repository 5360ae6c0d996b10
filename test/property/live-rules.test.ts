import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../engine/errors.js';
import { isStreamed, type ParamValues, resolveParams } from '../../engine/indicators/index.js';
import { getBit, HOUR_MS, sliceBars } from '../../engine/series/index.js';
import { columnsOfCondition } from '../../engine/signals/condition.js';
import { requireSignal, type Signal, signals } from '../../engine/signals/index.js';
import { evaluateRules, LiveRules, type PlannedRule, type StrategyPlan } from '../../engine/strategy/index.js';
import { randomParams } from '../support/params.js';
import { randomBars, seededRandom } from '../support/random.js';
import { randomFormula } from '../support/random-formulas.js';
import { runs } from '../support/scale.js';

/** Rules one bar at a time have the answers of the masks over all bars. */

const planOf = (entry: readonly PlannedRule[], exit: readonly PlannedRule[] = []): StrategyPlan => ({
  ...{ intervalMs: HOUR_MS, entry, exit, denied: [], warnings: [] },
});

function assertLive(plan: StrategyPlan, seed: number, barCount: number, what: string): void {
  const bars = randomBars({ seed, barCount, flatChance: 0.08, tick: seed % 2 === 0 ? 0.5 : 0.01, gapChance: 0.02 });
  const whole = evaluateRules(plan, bars);
  const live = new LiveRules(plan);
  const { entry, exit, short } = whole;
  const masks = { entry, exit, ...(short && { shortEntry: short.entry, shortExit: short.exit }) };
  for (let bar = 0; bar < barCount; bar++) {
    const answers = live.push(sliceBars(bars, 0, bar + 1));
    for (const [name, mask] of Object.entries(masks)) {
      const answer = answers[name as keyof typeof answers];
      if (answer) held.add(name);
      assert.equal(answer, getBit(mask, bar), `${what}: ${name} at bar ${bar} of seed ${seed}`);
    }
  }
}

/** Lists of rules that held at some bar. */
const held = new Set<string>();

const overBars = signals.filter(({ observes, name }) => observes === undefined && name !== 'formula');
const formula = requireSignal('formula');
/** Null where a formula is refused, such as one whose windows add up to too many bars. */
function readOrRefused(params: Readonly<Record<string, unknown>>): ParamValues | null {
  try {
    return resolveParams(formula, params);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

const paramsOf = (signal: Signal, random: () => number) => resolveParams(signal, randomParams(signal, random), false);

test('every signal over bars has the same answers bar by bar', () => {
  assert.ok(overBars.length > 200);
  for (const [i, signal] of overBars.entries()) {
    for (let seed = i + 1; seed <= i + runs(1, 40); seed++) {
      const params = paramsOf(signal, seededRandom(seed));
      const rule: PlannedRule = { signal, params, role: signal.type, timeframeMs: HOUR_MS };
      assertLive(planOf([rule]), seed, 160, `${signal.name} ${JSON.stringify(params)}`);
    }
  }
});

test('all of them cost the new bar only, but those that look at swings or at longer buckets', () => {
  const slow = overBars.filter((signal) => {
    const params = paramsOf(signal, seededRandom(3));
    return !columnsOfCondition(signal.condition(params)).every(isStreamed);
  });
  const kinds = new Set(slow.map(({ name }) => (name.includes('divergence') ? 'divergence' : 'buckets')));
  assert.ok(slow.length <= 8, slow.map(({ name }) => name).join(', '));
  assert.ok(kinds.size <= 2);
});

test('formulas, several rules and coarser timeframes have the same answers bar by bar', () => {
  let read = 0;
  const count = runs(15, 2_000);
  for (let seed = 1; seed <= count; seed++) {
    const random = seededRandom(seed);
    const { when, params } = randomFormula(random);
    const values = readOrRefused({ when, ...params });
    if (values === null) continue;
    read++;
    const entry: PlannedRule[] = [{ signal: formula, params: values, role: 'TRIGGER', timeframeMs: HOUR_MS }];
    const pick = overBars[Math.floor(random() * overBars.length)]!;
    const other = { signal: pick, params: paramsOf(pick, random), role: pick.type, timeframeMs: HOUR_MS };
    const coarse = seed % 10 === 0 ? [{ ...other, timeframeMs: 4 * HOUR_MS }] : [];
    assertLive(planOf(seed % 3 === 0 ? [...entry, ...coarse] : entry, [other]), seed, 90, when);
  }
  assert.ok(read > count / 3, `${read} of ${count} formulas could be read`);
});

test('both sides, choices of rules, negated and remembered ones have the same answers bar by bar', () => {
  held.clear();
  for (let seed = 1; seed <= runs(13, 2_000); seed++) {
    const random = seededRandom(seed);
    const rule = (group?: number): PlannedRule => {
      const signal = overBars[Math.floor(random() * overBars.length)]!;
      return {
        ...{ signal, params: paramsOf(signal, random), role: signal.type },
        timeframeMs: random() < 0.1 ? 4 * HOUR_MS : HOUR_MS,
        ...(random() < 0.4 && { negate: true as const }),
        ...(random() < 0.4 && { withinBars: 1 + Math.floor(random() * 6) }),
        ...(group !== undefined && { group }),
      };
    };
    const list = () => (random() < 0.5 ? [rule(), rule()] : [rule(0), rule(1), rule(1), rule(2)]);
    const short = { shortEntry: list(), shortExit: random() < 0.5 ? [] : list() };
    assertLive({ ...planOf(list(), list()), ...short }, seed, 90, `plan ${seed}`);
  }
  assert.deepEqual([...held].sort(), ['entry', 'exit', 'shortEntry', 'shortExit']);
});
