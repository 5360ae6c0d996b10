import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../library/client/generated/api.js';
import { count, NONE, percent, signed } from '../../report/format.js';
import { replaceState } from '../shell/address.js';
import type { ViewProps } from '../shell/views.js';
import { useWorkspace } from '../shell/workspace.js';

type RunItem = components['schemas']['RunItem'];

const PAGE_RUNS = 50;
const WAIT_MS = 250;

/** The stored runs of the caller, with their tags and notes. */
export function RunsView({ state }: ViewProps) {
  const { session, say } = useWorkspace();
  const [text, setText] = useState(state.text ?? '');
  const [withArchived, setWithArchived] = useState(false);
  const [offset, setOffset] = useState(0);
  const [found, setFound] = useState<{ readonly runs: readonly RunItem[]; readonly total: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const timer = setTimeout(async () => {
      replaceState('runs', text === '' ? {} : { text });
      const query = { limit: PAGE_RUNS, offset, include_archived: withArchived, ...(text !== '' && { text }) };
      const { data, error } = await session.api.GET('/api/v1/runs', { params: { query } });
      setProblem(error?.message ?? null);
      if (data !== undefined) setFound(data);
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [session, text, withArchived, offset, changes]);
  const latest = useRef(found);
  latest.current = found;
  const writing = useRef<Promise<void>>(Promise.resolve());
  /** A write replaces all marks of a run, so each begins with what the one before has left. */
  const mark = (runId: string, changed: Partial<Pick<RunItem, 'tags' | 'note' | 'archived'>>): void => {
    writing.current = writing.current.then(async () => {
      const run = latest.current?.runs.find(({ run_id }) => run_id === runId);
      if (run === undefined) return;
      const { tags, note, archived } = { ...run, ...changed };
      const { error } = await session.api.PUT('/api/v1/runs/{run_id}', {
        params: { path: { run_id: runId } },
        body: { tags, note, archived },
      });
      if (error === undefined) {
        const replace = (one: RunItem): RunItem => (one.run_id === runId ? { ...one, tags, note, archived } : one);
        latest.current = latest.current && { ...latest.current, runs: latest.current.runs.map(replace) };
        setFound(latest.current);
      }
      say(error?.message ?? 'Kept.');
      setChanges((before) => before + 1);
    });
  };
  return (
    <div class="page">
      <h2>Runs</h2>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          placeholder="Text of a name or a note"
          aria-label="Text of a name or a note"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setOffset(0);
          }}
        />
        <label>
          <input
            type="checkbox"
            checked={withArchived}
            onChange={({ currentTarget }) => setWithArchived(currentTarget.checked)}
          />{' '}
          archived too
        </label>
      </form>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {found !== null && (
        <table class="list">
          <caption class="quiet">
            {found.total === 0
              ? 'No stored run. Runs of the service and its experiments are listed here.'
              : `${count(found.total)} in all, newest first`}
          </caption>
          <thead>
            <tr>
              {[
                'created (UTC)',
                'kind',
                'name',
                'assets',
                'return',
                'Sharpe',
                'drawdown',
                'status',
                'tags',
                'note',
                'archive',
              ].map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.runs.map((run) => (
              <tr key={run.run_id}>
                <td>{run.created_at.slice(0, 16).replace('T', ' ')}</td>
                <td>{run.kind}</td>
                <td>{run.name}</td>
                <td>{run.assets.join(', ')}</td>
                <td>{run.total_return === null ? NONE : signed(run.total_return, percent(run.total_return, 1))}</td>
                <td>{run.sharpe_ratio?.toFixed(2) ?? NONE}</td>
                <td>{run.max_drawdown === null ? NONE : percent(run.max_drawdown, 1)}</td>
                <td>{run.status}</td>
                <td>
                  <input
                    type="text"
                    aria-label={`Tags of ${run.run_id}, separated by commas`}
                    value={run.tags.join(', ')}
                    onChange={({ currentTarget }) => mark(run.run_id, { tags: tagsOf(currentTarget.value) })}
                  />
                </td>
                <td>
                  <input
                    type="text"
                    aria-label={`Note of ${run.run_id}`}
                    value={run.note}
                    onChange={({ currentTarget }) => mark(run.run_id, { note: currentTarget.value })}
                  />
                </td>
                <td>
                  <button type="button" class="link" onClick={() => mark(run.run_id, { archived: !run.archived })}>
                    {run.archived ? 'restore' : 'archive'}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {found !== null && found.total > PAGE_RUNS && (
        <p>
          <button type="button" disabled={offset === 0} onClick={() => setOffset(offset - PAGE_RUNS)}>
            Newer
          </button>{' '}
          <button
            type="button"
            disabled={offset + PAGE_RUNS >= found.total}
            onClick={() => setOffset(offset + PAGE_RUNS)}
          >
            Older
          </button>
        </p>
      )}
    </div>
  );
}

const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
