import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { RefusedByEngine } from '../engine/engine.js';
import type { LoadedSeries, SeriesRecord } from '../engine/held-series.js';
import { LatestRun } from '../engine/latest-run.js';
import type { RunAnswer, RunRequest, SeriesName } from '../engine/protocol.js';
import { replaceState } from '../shell/address.js';
import type { ViewProps } from '../shell/views.js';
import { useWorkspace } from '../shell/workspace.js';
import { JsonPanel } from './json-panel.js';
import { RulesPanel } from './rules-panel.js';
import { RunCharts } from './run-charts.js';
import { addressOfRun, type RunState, runOfAddress } from './run-state.js';
import { RunSummary } from './run-summary.js';
import { SettingsPanel } from './settings-panel.js';

/** Quiet time after which the address follows the view. */
const ADDRESS_MS = 300;
const REST_MS = 300;

type Tab = 'rules' | 'settings' | 'json';

/** A strategy over a series, run again in the page at every change. */
export function RunView({ state: address }: ViewProps) {
  const { engine, series: held, say } = useWorkspace();
  const [state, setState] = useState<RunState>(() => runOfAddress(address));
  const [tab, setTab] = useState<Tab>('rules');
  const [listed, setListed] = useState<readonly SeriesRecord[]>([]);
  const [loaded, setLoaded] = useState<LoadedSeries | null>(null);
  const [answer, setAnswer] = useState<RunAnswer | null>(null);
  const [refusal, setRefusal] = useState<Error | null>(null);
  /** The latest request, and the latest one that was answered. */
  const [asked, setAsked] = useState<RunRequest | null>(null);
  const [answered, setAnswered] = useState<RunRequest | null>(null);
  const runs = useMemo(
    () =>
      new LatestRun(
        engine,
        held,
        (request, found) => {
          setAnswered(request);
          setAnswer(found);
          setRefusal(null);
        },
        (request, error) => {
          setAnswered(request);
          setRefusal(error);
        },
      ),
    [engine, held],
  );
  useEffect(() => {
    held.list().then(setListed, (error: Error) => setRefusal(error));
  }, [held]);
  const { asset, interval } = state.series;
  useEffect(() => {
    let isCurrent = true;
    setLoaded(null);
    held.load({ asset, interval }).then(
      (found) => isCurrent && setLoaded(found),
      (error: Error) => isCurrent && setRefusal(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [held, asset, interval]);
  useEffect(() => {
    if (loaded === null) return;
    const { series, strategy, settings, window } = state;
    const span = window && { startMs: window.fromMs, endMs: window.toMs };
    const request = { series, strategy, settings, window: span };
    setAsked(request);
    runs.request(request);
  }, [loaded, state, runs]);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  useEffect(() => {
    if (answered === null || answered !== asked || answer === null || refusal !== null) return;
    setWarnings(answer.warnings);
    let isCurrent = true;
    // What is doubtful in bars and fills costs ten times the run, so it waits until the user rests.
    const rest = setTimeout(() => {
      engine.ask('details', answered).then(
        (details) => isCurrent && setWarnings(details.warnings),
        (error: Error) => isCurrent && setRefusal(error),
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(rest);
    };
  }, [engine, answered, asked, answer, refusal]);
  const timer = useRef(0);
  useEffect(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => replaceState('run', addressOfRun(state)), ADDRESS_MS);
  }, [state]);

  const set = (changed: Partial<RunState>): void => setState((now) => ({ ...now, ...changed }));
  return (
    <div class="run">
      <aside>
        <SeriesChoice listed={listed} value={state.series} onChange={(series) => set({ series, window: null })} />
        <div role="tablist" class="tabs">
          {(['rules', 'settings', 'json'] as const).map((name) => (
            <button type="button" role="tab" aria-selected={name === tab} onClick={() => setTab(name)}>
              {name}
            </button>
          ))}
        </div>
        {tab === 'rules' && <RulesPanel strategy={state.strategy} onChange={(strategy) => set({ strategy })} />}
        {tab === 'settings' && (
          <SettingsPanel
            settings={state.settings}
            problem={fieldProblem(refusal)}
            onChange={(settings) => set({ settings })}
          />
        )}
        {tab === 'json' && <JsonPanel state={state} onChange={setState} onSay={say} />}
      </aside>
      <div class="result" aria-busy={asked !== answered}>
        {refusal !== null && (
          <p class="problem" role="alert">
            {refusal.message}
          </p>
        )}
        {loaded === null && refusal === null && <p class="waiting">Loading the bars of {asset}…</p>}
        {loaded !== null && (
          <>
            {answer !== null && <RunSummary answer={answer} warnings={warnings} state={state} />}
            <RunCharts loaded={loaded} answer={answer} window={state.window} onWindow={(window) => set({ window })} />
          </>
        )}
      </div>
    </div>
  );
}

function fieldProblem(refusal: Error | null) {
  if (!(refusal instanceof RefusedByEngine)) return null;
  const { field } = refusal.refusal.details;
  return typeof field === 'string' ? { field, message: refusal.message } : null;
}

interface SeriesChoiceProps {
  readonly listed: readonly SeriesRecord[];
  readonly value: SeriesName;
  readonly onChange: (series: SeriesName) => void;
}

function SeriesChoice({ listed, value, onChange }: SeriesChoiceProps) {
  const key = ({ asset, interval }: SeriesName): string => `${asset} ${interval}`;
  return (
    <label class="series-choice">
      Bars
      <select
        value={key(value)}
        onChange={({ currentTarget }) => {
          const chosen = listed.find((one) => key(one) === currentTarget.value);
          if (chosen !== undefined) onChange({ asset: chosen.asset, interval: chosen.interval });
        }}
      >
        {!listed.some((one) => key(one) === key(value)) && <option value={key(value)}>{key(value)}</option>}
        {listed.map((one) => (
          <option value={key(one)}>
            {key(one)}, {one.first_time.slice(0, 10)} to {one.last_time.slice(0, 10)}
          </option>
        ))}
      </select>
    </label>
  );
}
