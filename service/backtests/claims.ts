import { type ExpressionBuilder, sql } from 'kysely';
import { nextTurn, oneClaimAtATime } from '../../data/state/index.js';
import type { Database, StateSchema } from '../state/tables.js';
import { planColumns } from './rows.js';

/** Queued, or held by a runner whose lease has ended. */
export const isClaimable = (nowMs: number) => (eb: ExpressionBuilder<StateSchema, 'backtests'>) =>
  eb.or([eb('status', '=', 'queued'), eb.and([eb('status', '=', 'running'), eb('lease_until_ms', '<=', nowMs)])]);

/** Gives the next run of a kind to a runner; undefined where none can be claimed. */
export async function claimNext(db: Database, isPortfolio: boolean, runner: string, nowMs: number, untilMs: number) {
  const isOfKind = (eb: ExpressionBuilder<StateSchema, 'backtests'>) =>
    eb.and([isClaimable(nowMs)(eb), eb('is_portfolio', '=', isPortfolio)]);
  return db.transaction().execute(async (open) => {
    await oneClaimAtATime(open);
    return open
      .updateTable('backtests')
      .set((eb) => ({
        status: 'running' as const,
        lease_runner: runner,
        lease_until_ms: untilMs,
        attempts: eb('attempts', '+', 1),
        turn: nextTurn,
      }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('backtests')
          .select('id')
          .where(isOfKind)
          .where('org_id', '=', (org) =>
            org
              .selectFrom(org.selectFrom('backtests').select('org_id').distinct().where(isOfKind).as('waiting'))
              .select('org_id')
              .orderBy(({ selectFrom }) =>
                selectFrom('backtests as had')
                  .whereRef('had.org_id', '=', 'waiting.org_id')
                  .select(({ fn }) => fn.coalesce(fn.max('had.turn'), sql<number>`0`).as('turn')),
              )
              .orderBy('org_id')
              .limit(1),
          )
          .orderBy('is_awaited', 'desc')
          .orderBy('created_at_ms')
          .orderBy('id')
          .limit(1),
      )
      .returning([...planColumns, 'request', 'attempts'])
      .executeTakeFirst();
  });
}
