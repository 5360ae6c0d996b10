import type {
  AwaitedEnd,
  BacktestPlan,
  BacktestRecord,
  BacktestStore,
  BacktestSummary,
  HistoryFilter,
} from '../../service/backtests/index.js';

interface Row {
  record: BacktestRecord;
  lease: { readonly runner: string; readonly untilMs: number } | null;
  attempts: number;
}

/** A store of backtests in memory. Rows go in and come out as copies, as with a database. */
export function memoryBacktestStore(): BacktestStore {
  const rows = new Map<string, Row>();
  const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
  const fresh = (plan: BacktestPlan): BacktestRecord => ({
    ...copy(plan),
    status: 'queued',
    completedAtMs: null,
    executionSeconds: null,
    outcome: null,
    error: null,
    archivedAtMs: null,
  });
  const ended = (record: BacktestRecord, end: Parameters<BacktestStore['end']>[2]): BacktestRecord => {
    const { completedAtMs, executionSeconds } = end;
    const result = 'outcome' in end ? { outcome: copy(end.outcome) } : { error: end.error };
    return { ...record, ...result, completedAtMs, executionSeconds, status: 'outcome' in end ? 'completed' : 'failed' };
  };
  const add = (record: BacktestRecord) => {
    if (rows.has(record.id)) throw new Error(`the id ${record.id} is taken`);
    rows.set(record.id, { record, lease: null, attempts: 0 });
  };
  const owned = (userId: string, id: string): Row | null => {
    const row = rows.get(id);
    return row?.record.userId === userId ? row : null;
  };
  const held = (runner: string, id: string): Row | null => {
    const row = rows.get(id);
    return row?.record.status === 'running' && row.lease?.runner === runner ? row : null;
  };
  return {
    addEnded: async (plan, end) => add(ended(fresh(plan), end)),
    async addQueued(...plans) {
      for (const plan of plans) if (!rows.has(plan.id)) add(fresh(plan));
    },
    get: async (userId, id) => copy(owned(userId, id)?.record ?? null),
    async getShared({ userId, orgId }, id) {
      const record = rows.get(id)?.record;
      const isVisible = record?.orgId === orgId && (record.isShared || record.userId === userId);
      return isVisible ? copy(record) : null;
    },
    async history(userId, filter) {
      const all = [...rows.values()].map(({ record }) => record).filter((record) => record.userId === userId);
      const some = all
        .filter((record) => isWanted(record, filter))
        .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1));
      const page = some.slice(filter.offset, filter.offset + filter.limit).map(summaryOf);
      return { rows: copy(page), total: some.length };
    },
    async setArchived(userId, id, archivedAtMs) {
      const row = owned(userId, id);
      if (row === null) return null;
      const kept = archivedAtMs === null ? null : (row.record.archivedAtMs ?? archivedAtMs);
      row.record = { ...row.record, archivedAtMs: kept };
      return { archivedAtMs: kept };
    },
    async countQueued(orgId) {
      const queued = [...rows.values()].filter(({ record }) => record.status === 'queued');
      return {
        ofOrganization: queued.filter(({ record }) => record.orgId === orgId).length,
        ofAll: queued.length,
      };
    },
    async claim(runner, nowMs, untilMs) {
      const [row] = [...rows.values()].filter((one) => isClaimable(one, nowMs)).sort(byTurn);
      if (row === undefined) return null;
      row.record = { ...row.record, status: 'running' };
      row.lease = { runner, untilMs };
      row.attempts++;
      return { plan: copy(row.record), attempt: row.attempts };
    },
    async renew(runner, id, untilMs) {
      const row = held(runner, id);
      if (row !== null) row.lease = { runner, untilMs };
      return row !== null;
    },
    async release(runner, id) {
      const row = held(runner, id);
      if (row === null) return;
      row.record = { ...row.record, status: 'queued' };
      row.lease = null;
      row.attempts--;
    },
    async withdraw(ids, nowMs) {
      const gone = ids.filter((id) => {
        const row = rows.get(id);
        return row !== undefined && isClaimable(row, nowMs);
      });
      for (const id of gone) rows.delete(id);
      return gone;
    },
    async readEnds(ids) {
      return ids.flatMap((id): AwaitedEnd[] => {
        const record = rows.get(id)?.record;
        const { outcome = null, error = null, executionSeconds = null } = record ?? {};
        if (executionSeconds === null) return [];
        if (outcome === null) return [{ id, executionSeconds, error: error ?? '' }];
        const { metrics, trades, deniedSignals, warnings } = copy(outcome);
        return [{ id, executionSeconds, metrics, tradeCount: trades.length, deniedSignals, warnings }];
      });
    },
    async deleteFailed(ids) {
      for (const id of ids) if ((rows.get(id)?.record.error ?? null) !== null) rows.delete(id);
    },
    async cancel(userId, id, end) {
      const row = owned(userId, id);
      if (row === null || row.record.isAwaited || !['queued', 'running'].includes(row.record.status)) return false;
      row.record = ended(row.record, end);
      row.lease = null;
      return true;
    },
    async end(runner, id, end) {
      const row = held(runner, id);
      if (row === null) return false;
      row.record = ended(row.record, end);
      row.lease = null;
      return true;
    },
  };
}

const isClaimable = ({ record, lease }: Row, nowMs: number): boolean =>
  record.status === 'queued' || (record.status === 'running' && lease !== null && lease.untilMs <= nowMs);

const byTurn = ({ record: a }: Row, { record: b }: Row): number =>
  Number(b.isAwaited) - Number(a.isAwaited) || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1);

function isWanted(record: BacktestRecord, filter: HistoryFilter): boolean {
  const { statuses, baseAsset, sessionId, createdFromMs = -Infinity, createdToMs = Infinity, includeArchived } = filter;
  return (
    (statuses === undefined || statuses.includes(record.status)) &&
    (baseAsset === undefined || record.baseAsset === baseAsset) &&
    (sessionId === undefined || record.sessionId === sessionId) &&
    record.createdAtMs >= createdFromMs &&
    record.createdAtMs < createdToMs &&
    (includeArchived || record.archivedAtMs === null)
  );
}

function summaryOf({ outcome, request: _request, ...row }: BacktestRecord): BacktestSummary {
  return { ...row, metrics: outcome?.metrics ?? null };
}
