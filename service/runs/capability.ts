import { normaliseAsset } from '../../data/bars/index.js';
import { isoTime } from '../../engine/series/index.js';
import { parseTime } from '../../research/index.js';
import { ApiError, notFound, wrongValue } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { Capability, Foundation } from '../capability.js';
import { holdsScope } from '../identity/scopes.js';
import { readChoice, readInteger } from '../read-fields.js';
import { type RunKind, runKinds, SqlRuns } from './store.js';

const TAGS_MAX = 20;
const TAG_LENGTH_MAX = 50;
const NOTE_LENGTH_MAX = 2_000;

type Row = NonNullable<Awaited<ReturnType<SqlRuns['find']>>>;

/** What a caller needs beyond the scope of a method, where a run is an experiment. */
const experimentScopes = { reading: 'oracle:read', marking: 'oracle:sweep' } as const;

export function openRuns({ state, clock }: Pick<Foundation, 'state' | 'clock'>): Capability<'Runs'> {
  const store = new SqlRuns(state.db);
  return {
    methods: {
      async 'Runs.List'(request, { caller }) {
        const kinds = listedKinds(caller, request.kind);
        const time = (field: 'date_from' | 'date_to') => {
          const text = request[field];
          return text === undefined ? undefined : parseTime(text, field, field === 'date_to');
        };
        const { rows, total } = await store.list(readerOf(caller), {
          ...{ kinds, tag: request.tag, strategy: request.strategy, text: request.text },
          asset: request.asset === undefined ? undefined : normaliseAsset(request.asset),
          ...{ createdFromMs: time('date_from'), createdToMs: time('date_to') },
          includeArchived: request.include_archived ?? false,
          limit: readInteger('limit', request.limit, { min: 1, max: 1_000, ifAbsent: 50 }),
          offset: readInteger('offset', request.offset, { min: 0, max: Number.MAX_SAFE_INTEGER, ifAbsent: 0 }),
        });
        return { runs: rows.map(runItem), total, kinds: [...kinds] };
      },
      async 'Runs.Mark'({ run_id, tags = [], note = '', archived = false }, { caller }) {
        checkMarks(tags, note);
        const run = await store.find(readerOf(caller), run_id);
        if (run === undefined || !mayList(caller, run.kind)) throw notFound('run', run_id);
        if (run.kind === 'experiment') requireScope(caller, experimentScopes.marking);
        await store.mark(run, { tags: [...new Set(tags)], note, isArchived: archived }, clock());
        const marked = await store.find(readerOf(caller), run_id);
        if (marked === undefined) throw notFound('run', run_id);
        return runItem(marked);
      },
    },
  };
}

const readerOf = ({ orgId, userId, ...caller }: Caller) => ({
  ...{ orgId, userId, readsStrategies: holdsScope(caller, 'strategy:read') },
});

const mayList = (caller: Caller, kind: RunKind): boolean =>
  kind !== 'experiment' || holdsScope(caller, experimentScopes.reading);

function listedKinds(caller: Caller, asked: string | undefined): readonly RunKind[] {
  if (asked === undefined) return runKinds.filter((kind) => mayList(caller, kind));
  const kind = readChoice('kind', asked, runKinds);
  if (!mayList(caller, kind)) requireScope(caller, experimentScopes.reading);
  return [kind];
}

function requireScope(caller: Caller, scope: string): void {
  if (holdsScope(caller, scope)) return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', `Missing required scope: ${scope}`, { scope });
}

function checkMarks(tags: readonly string[], note: string): void {
  if (tags.length > TAGS_MAX) throw wrongValue('tags', `at most ${TAGS_MAX} tags`, tags.length, 'INVALID_FIELD');
  const wrong = tags.find((tag) => tag.trim() === '' || tag.length > TAG_LENGTH_MAX);
  if (wrong !== undefined) throw wrongValue('tags', `1..${TAG_LENGTH_MAX} characters each`, wrong, 'INVALID_FIELD');
  if (note.length > NOTE_LENGTH_MAX) {
    throw wrongValue('note', `at most ${NOTE_LENGTH_MAX} characters`, note.length, 'INVALID_FIELD');
  }
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

const runItem = ({ id, assets, start_ms, end_ms, created_at_ms, archived_at_ms, metrics, ...run }: Row) => ({
  ...{ kind: run.kind, run_id: id, name: run.name, assets: assets?.split(',') ?? [], interval: run.interval },
  ...{ start_date: timeOrNull(start_ms), end_date: timeOrNull(end_ms), status: run.status },
  ...{ created_at: isoTime(created_at_ms), archived: archived_at_ms !== null, tags: run.tags, note: run.note },
  total_return: metrics?.total_return ?? null,
  sharpe_ratio: metrics?.sharpe_ratio ?? null,
  max_drawdown: metrics?.max_drawdown ?? null,
  runs: run.runs,
});
