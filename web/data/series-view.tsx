import { useEffect, useState } from 'preact/hooks';
import { count } from '../../report/format.js';
import type { SeriesDetails, SeriesRecord } from '../engine/held-series.js';
import { addressOfRun, runOfAddress } from '../run/run-state.js';
import { placeAddress } from '../shell/address.js';
import { useWorkspace } from '../shell/workspace.js';

/** The held series: what each covers, its holes, its columns and where it came from. */
export function SeriesView() {
  const { series } = useWorkspace();
  const [listed, setListed] = useState<readonly SeriesRecord[] | null>(null);
  const [picked, setPicked] = useState<SeriesDetails | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    series.list().then(setListed, (error: Error) => setProblem(error.message));
  }, [series]);
  const look = ({ asset, interval }: SeriesRecord): void => {
    series.load({ asset, interval }).then(
      ({ details }) => setPicked(details),
      (error: Error) => setProblem(error.message),
    );
  };
  return (
    <div class="page">
      <h2>Series</h2>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <table class="list">
        <caption class="quiet">Times are UTC. Others come with “barline data import” and “barline data fetch”.</caption>
        <thead>
          <tr>
            {['asset', 'bars of', 'bars', 'from', 'to', 'holes', 'columns beside', 'origin', 'use'].map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listed?.map((one) => (
            <tr>
              <td>{one.asset}</td>
              <td>{one.interval}</td>
              <td>{count(one.bars)}</td>
              <td>{one.first_time.slice(0, 16)}</td>
              <td>{one.last_time.slice(0, 16)}</td>
              <td>
                {one.gap_count === 0 ? (
                  'none'
                ) : (
                  <button type="button" class="link" onClick={() => look(one)}>
                    {count(one.gap_count)}, {count(one.missing_bars)} bars
                  </button>
                )}
              </td>
              <td>{one.columns.join(', ')}</td>
              <td>{one.is_sample ? 'bundled' : one.source}</td>
              <td>
                <a href={runOn(one)}>Run on it</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {picked !== null && <Holes details={picked} />}
    </div>
  );
}

const runOn = ({ asset, interval }: SeriesRecord): string =>
  placeAddress('run', addressOfRun({ ...runOfAddress({}), series: { asset, interval } }));

function Holes({ details: { series, gaps, held_out: heldOut } }: { readonly details: SeriesDetails }) {
  return (
    <section>
      <h2>
        Holes of {series.asset} {series.interval}
        {gaps.length < series.gap_count && `, the first ${gaps.length}`}
      </h2>
      <ul>
        {gaps.map(({ first_missing: from, last_missing: to, bars }) => (
          <li>
            {from} to {to}: {count(bars)} {bars === 1 ? 'bar' : 'bars'}
          </li>
        ))}
      </ul>
      {heldOut.map(({ from, to }) => (
        <p class="warning">
          {from} to {to} are held out: the page shows no bar from there on.
        </p>
      ))}
    </section>
  );
}
