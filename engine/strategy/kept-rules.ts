import { canonicalJson } from '../canonical-json.js';
import type { BarSeries } from '../series/bars.js';
import type { Mask } from '../series/bits.js';
import type { PlannedRule, StrategyPlan } from './plan.js';
import { evaluateWithGapsIn, type OtherBars, RuleFrames, type RuleGaps, type RulesHeld } from './rules.js';

type Gaps = Pick<RuleGaps, 'bars' | 'undefinedBars'>;

interface KeptRule {
  readonly mask: Mask;
  readonly gaps: Gaps;
}

/**
 * Rules over one window of one series for one caller after another, such as a person who moves a
 * slider: a rule whose parameters did not change costs a look-up. Columns are kept within
 * `columnBytesMax`, and the masks of the latest `RULES_MAX` rules.
 */
export class KeptRules {
  readonly #frames: RuleFrames;
  /** Least recently used first. */
  readonly #kept = new Map<string, KeptRule>();

  constructor(
    private readonly bars: BarSeries,
    private readonly first: number,
    others: OtherBars,
    private readonly columnBytesMax: number,
  ) {
    this.#frames = new RuleFrames(bars, others);
  }

  /** Equal in every bit to `evaluateWithGaps`. The masks are shared: no caller may write to them. */
  evaluate(plan: StrategyPlan): RulesHeld {
    const source = {
      mask: (rule: PlannedRule) => this.#rule(rule).mask,
      gaps: (rule: PlannedRule) => this.#rule(rule).gaps,
    };
    const held = evaluateWithGapsIn(source, plan, this.bars, this.first);
    this.#frames.keepColumns(this.columnBytesMax);
    return held;
  }

  /** Gives back the columns; the object is not to be used afterwards. */
  release(): void {
    this.#frames.release();
    this.#kept.clear();
  }

  #rule(rule: PlannedRule): KeptRule {
    const { signal, ...rest } = rule;
    const key = canonicalJson([signal.name, rest]);
    const kept = this.#kept.get(key) ?? { mask: this.#frames.mask(rule), gaps: this.#frames.gaps(rule, this.first) };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= RULES_MAX) break;
      this.#kept.delete(oldest);
    }
    return kept;
  }
}

const RULES_MAX = 1_000;
