import { apart } from '../../data/state/index.js';
import { type Holdouts, openHoldouts, openSameBars } from '../../data/tries/index.js';
import { type HeldOut, type HeldOutDays, type Opening, requestNames } from '../../engine/sweep/index.js';
import type { Database } from '../state/tables.js';
import type { HeldOutTable } from './tables.js';

/**
 * The days that an organization holds out. Declaring and opening commit at once, also inside a
 * transaction: a run that fails afterwards has used the days.
 */
export class SqlHeldOutDays {
  readonly names: NonNullable<HeldOutDays['names']> = requestNames;

  constructor(
    private readonly db: Database,
    private readonly orgId: string,
  ) {}

  async of(asset: string): Promise<readonly HeldOut[]> {
    return (await this.list()).filter((days) => days.asset === asset);
  }

  async list(): Promise<readonly HeldOut[]> {
    const rows = await this.db
      .selectFrom('held_out_days')
      .where('org_id', '=', this.orgId)
      .selectAll()
      .orderBy('asset')
      .orderBy('from_date')
      .orderBy('to_date')
      .execute();
    return rows.map(toHeldOut);
  }

  async declare({ asset, from, to, days, declared_at }: HeldOut): Promise<void> {
    const row = { org_id: this.orgId, asset, from_date: from, to_date: to, days, declared_at };
    await apart(() =>
      this.db
        .insertInto('held_out_days')
        .values({ ...row, opened_at: null, opened_for: null, metrics: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  }

  /** One statement, so that one of several openings at the same time wins. */
  async open(days: HeldOut, { opened_at, run }: Opening): Promise<Opening> {
    await apart(() => this.#row(days).set({ opened_at, opened_for: run }).where('opened_at', 'is', null).execute());
    const known = (await this.of(days.asset)).find(({ from, to }) => from === days.from && to === days.to);
    if (known?.opening === null || known === undefined) throw new Error(`opened days are not stored: ${days.from}`);
    return known.opening;
  }

  async finish(days: HeldOut, { run, metrics }: Opening): Promise<void> {
    await apart(() =>
      this.#row(days)
        .set({ metrics: JSON.stringify(metrics) })
        .where('opened_for', '=', run)
        .execute(),
    );
  }

  #row({ asset, from, to }: HeldOut) {
    return this.db
      .updateTable('held_out_days')
      .where('org_id', '=', this.orgId)
      .where('asset', '=', asset)
      .where('from_date', '=', from)
      .where('to_date', '=', to);
  }
}

function toHeldOut({
  asset,
  from_date,
  to_date,
  days,
  declared_at,
  opened_at,
  opened_for,
  metrics,
}: HeldOutTable): HeldOut {
  const opening =
    opened_at === null
      ? null
      : {
          opened_at,
          run: opened_for ?? '',
          metrics: metrics === null ? null : (JSON.parse(metrics) as Opening['metrics']),
        };
  return { asset, from: from_date, to: to_date, days, declared_at, opening };
}

/**
 * The days that an organization holds out, with the held-out days of its service's home: each run
 * obeys both. What the organization declares or opens is in the home too, where the command line
 * obeys it and other organizations do not.
 */
export function heldOutWithHome(own: SqlHeldOutDays, folder: string, orgId: string): Holdouts {
  const home = openHoldouts(folder);
  const { meet, namesOf } = openSameBars(folder);
  const daysKey = ({ asset, from, to }: HeldOut): string => `${asset} ${from} ${to}`;
  const join = (ownDays: readonly HeldOut[], homeDays: readonly HeldOut[]): HeldOut[] => {
    const joined = new Map(ownDays.map((days) => [daysKey(days), days]));
    for (const days of homeDays) {
      if (days.organization !== undefined && days.organization !== orgId) continue;
      const known = joined.get(daysKey(days));
      if (known?.opening?.metrics == null)
        joined.set(daysKey(days), { ...days, opening: days.opening ?? known?.opening ?? null });
    }
    return [...joined.values()];
  };
  const isOwn = async (days: HeldOut) => (await own.of(days.asset)).some((one) => daysKey(one) === daysKey(days));
  return {
    names: own.names,
    meet,
    async of(asset) {
      const names = await namesOf(asset);
      const ownDays = (await own.list()).filter((days) => names.includes(days.asset));
      return join(ownDays, await home.of(asset));
    },
    list: async () => join(await own.list(), await home.list()),
    async declare(days) {
      await own.declare(days);
      await home.declare({ ...days, organization: orgId });
    },
    async open(days, opening) {
      const first = (await isOwn(days)) ? await own.open(days, opening) : opening;
      await home.declare({ ...days, organization: orgId }); // days of an older version are absent there
      return home.open(days, first);
    },
    async finish(days, opening) {
      await own.finish(days, opening); // nothing where only the home holds them out
      await home.finish(days, opening);
    },
  };
}
