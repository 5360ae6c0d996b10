import { useEffect, useMemo, useState } from 'preact/hooks';
import { Session } from '../api/session.js';
import { Engine } from '../engine/engine.js';
import { HeldSeries } from '../engine/held-series.js';
import type { Catalogue } from '../engine/protocol.js';
import { takeToken, usePlace } from './address.js';
import { Navigation } from './navigation.js';
import { SignIn } from './sign-in.js';
import { views } from './views.js';
import { WorkspaceContext } from './workspace.js';

/** How long a line stays, ms. */
const SAID_MS = 6_000;

export function App() {
  const [isSignedIn, setSignedIn] = useState<boolean | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const session = useMemo(() => new Session(() => setSignedIn(false)), []);
  useEffect(() => {
    const token = takeToken();
    if (token === null) return setSignedIn(session.isSignedIn);
    session.exchange(token).then(
      () => setSignedIn(true),
      (error: Error) => {
        setProblem(`The token of the address was refused (${error.message}): barline workbench prints a new one.`);
        setSignedIn(session.isSignedIn);
      },
    );
  }, [session]);
  if (isSignedIn === null) return <p class="waiting">Signing in…</p>;
  if (!isSignedIn) return <SignIn session={session} problem={problem} onSignedIn={() => setSignedIn(true)} />;
  return <Workbench session={session} onSignedOut={() => setSignedIn(false)} />;
}

function Workbench({ session, onSignedOut }: { readonly session: Session; readonly onSignedOut: () => void }) {
  const { engine, series } = useMemo(() => {
    const one = new Engine();
    return { engine: one, series: new HeldSeries(session, one) };
  }, [session]);
  useEffect(() => {
    Object.assign(window, { barline: { engine, series } }); // for the console of the browser
    return () => engine.close();
  }, [engine, series]);
  const [catalogue, setCatalogue] = useState<Catalogue | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const place = usePlace();
  useEffect(() => {
    engine.catalogue().then(setCatalogue, (error: Error) => setProblem(error.message));
  }, [engine]);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const workspace = useMemo(
    () => (catalogue === null ? null : { session, engine, catalogue, series, say: setSaid }),
    [session, engine, catalogue, series],
  );
  const view = views.find(({ name }) => name === place.view) ?? views[0];
  const signOut = () => void session.signOut().then(onSignedOut);
  return (
    <>
      <Navigation current={view?.name ?? ''} onSignOut={signOut} />
      <main id="view" tabIndex={-1}>
        {problem !== null && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {workspace === null || view === undefined ? (
          problem === null && <p class="waiting">The engine is loading…</p>
        ) : (
          <WorkspaceContext.Provider value={workspace}>
            <view.View key={view.name} state={place.state} />
          </WorkspaceContext.Provider>
        )}
      </main>
      <div class="said" role="status" aria-live="polite">
        {said}
      </div>
    </>
  );
}
