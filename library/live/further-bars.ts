import { normaliseAsset } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import type { ExecutionConfig } from '../../engine/execution/index.js';
import { type BarSeries, formatInterval, isoTime, parseInterval } from '../../engine/series/index.js';
import { assetsRead, type OtherBars, type StrategyDefinition } from '../../engine/strategy/index.js';
import type { Bars } from '../bars/columns-in.js';
import { type ClosedBar, GrowingBars, joinBars, type StoredBars } from './stored-bars.js';

/**
 * Closed bars beside the bars that the strategy trades. Give them before or with the bar that can
 * see them.
 */
export interface FurtherBars {
  /** Newly closed bars of the assets that rules name, oldest first. */
  readonly otherBars?: Readonly<Record<string, readonly ClosedBar[]>>;
  /** Newly closed bars of the interval of `detail_interval`, oldest first. */
  readonly detailBars?: readonly ClosedBar[];
}

interface Given {
  readonly history: BarSeries & Pick<Bars, 'asset'>;
  readonly otherBars?: Readonly<Record<string, BarSeries>>;
  readonly detailBars?: BarSeries;
}

/** Other assets' and finer bars, as an account keeps them. */
export interface StoredFurther {
  readonly others: Readonly<Record<string, StoredBars>>;
  readonly detail: StoredBars | null;
}

/** The bars that an account has read beside its own, and after them those given that are newer. */
export function joinFurther(
  seen: { readonly others: Readonly<Record<string, BarSeries>>; readonly detail: BarSeries | null },
  { otherBars = {}, detailBars }: Omit<Given, 'history'>,
) {
  const warnings: string[] = [];
  const join = (what: string, known: BarSeries, given: BarSeries | undefined): BarSeries => {
    const joined = joinBars(what, known, given);
    warnings.push(...joined.warnings);
    return joined.bars;
  };
  const others = Object.entries(seen.others).map(([name, known]) => [
    name,
    join(`otherBars.${name}`, known, otherBars[name]),
  ]);
  const detail = seen.detail === null ? detailBars : join('detailBars', seen.detail, detailBars);
  return {
    warnings,
    otherBars: { ...otherBars, ...(Object.fromEntries(others) as Record<string, BarSeries>) },
    ...(detail === undefined ? {} : { detailBars: detail }),
  };
}

/** The bars beside the bars of the run, as far as they have come. */
export class Further {
  readonly #others = new Map<string, GrowingBars>();
  readonly #ownNames: string[] = [];
  readonly #detail: GrowingBars | null;
  /** Names of the columns of each asset that rules name. */
  readonly columns: Readonly<Record<string, readonly string[]>>;

  constructor({ history, otherBars = {}, detailBars }: Given, strategy: StrategyDefinition, config: ExecutionConfig) {
    const columns: Record<string, readonly string[]> = {};
    const reads = assetsRead(strategy, history.intervalMs);
    for (const { asset, place, timeframesMs } of reads) {
      const given = otherBars[asset];
      if (given === undefined && normaliseAsset(asset) === normaliseAsset(history.asset)) {
        this.#ownNames.push(asset);
        columns[asset] = Object.keys(history.columns);
        continue;
      }
      if (given === undefined) throw missingBars(`otherBars.${asset}`, `${place} reads ${asset}`);
      const odd = timeframesMs.find((ms) => ms % given.intervalMs !== 0);
      if (odd !== undefined) {
        throw wrongInterval(`otherBars.${asset}`, `an interval that divides ${formatInterval(odd)}`, given.intervalMs);
      }
      this.#others.set(asset, new GrowingBars(given));
      columns[asset] = Object.keys(given.columns);
    }
    const unread = Object.keys(otherBars).find((name) => !this.#others.has(name));
    if (unread !== undefined) {
      const field = `otherBars.${unread}`;
      throw new EngineError('INVALID_FIELD', `${field}: no rule reads ${unread} (asset)`, { field });
    }
    this.columns = columns;
    const detail = config.detail_interval ?? null;
    if (detail !== null && detailBars === undefined) throw missingBars('detailBars', `detail_interval is ${detail}`);
    if (detail === null && detailBars !== undefined) {
      throw new EngineError('INVALID_FIELD', 'detailBars are read with detail_interval only', { field: 'detailBars' });
    }
    if (detail !== null && detailBars !== undefined && detailBars.intervalMs !== parseInterval(detail)) {
      throw wrongInterval('detailBars', `the interval ${detail}`, detailBars.intervalMs);
    }
    this.#detail = detailBars === undefined ? null : new GrowingBars(detailBars);
  }

  others(own: BarSeries): OtherBars {
    return Object.fromEntries([
      ...this.#ownNames.map((name) => [name, own] as const),
      ...[...this.#others].map(([name, bars]) => [name, bars.first(bars.count)] as const),
    ]);
  }

  stored(): StoredFurther {
    const others = [...this.#others].map(([name, bars]) => [name, bars.stored()] as const);
    return { others: Object.fromEntries(others), detail: this.#detail?.stored() ?? null };
  }

  detail(): BarSeries | undefined {
    return this.#detail === null ? undefined : this.#detail.first(this.#detail.count);
  }

  /**
   * Takes newly closed bars.
   * @param newestClose of the run so far
   * @returns a warning for each that came after a close that would have seen it
   */
  add({ otherBars = {}, detailBars = [] }: FurtherBars, newestClose: number): string[] {
    const late: string[] = [];
    const take = (name: string, bars: GrowingBars | null | undefined, given: readonly ClosedBar[], why: string) => {
      if (bars === null || bars === undefined) {
        throw new EngineError('INVALID_FIELD', `${name} is not read: ${why}`, { field: name });
      }
      for (const bar of given) {
        const all = bars.add(bar);
        const time = all.time[all.barCount - 1] ?? NaN;
        if (time + all.intervalMs > newestClose) continue;
        late.push(`${name}: the bar of ${isoTime(time)} came after the close that sees it; a backtest sees it there`);
      }
    };
    for (const [name, given] of Object.entries(otherBars)) {
      take(`otherBars.${name}`, this.#others.get(name), given, 'startLive had no bars of it');
    }
    if (detailBars.length > 0) take('detailBars', this.#detail, detailBars, 'there is no detail_interval');
    return late;
  }
}

function missingBars(field: string, reason: string): EngineError {
  return new EngineError('MISSING_FIELD', `${field} is required: ${reason}`, { field });
}

function wrongInterval(field: string, bound: string, intervalMs: number): EngineError {
  return new EngineError('INVALID_FIELD', `${field} must have ${bound}, was ${formatInterval(intervalMs)}`, { field });
}
