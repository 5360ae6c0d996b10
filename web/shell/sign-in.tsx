import { useState } from 'preact/hooks';
import type { Session } from '../api/session.js';

interface SignInProps {
  readonly session: Session;
  readonly problem: string | null;
  readonly onSignedIn: () => void;
}

/** For a browser without a session: an API key, or the login that the service is configured with. */
export function SignIn({ session, problem, onSignedIn }: SignInProps) {
  const [key, setKey] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    setRefusal(null);
    session.useKey(key.trim()).then(onSignedIn, (error: Error) => setRefusal(error.message));
  };
  return (
    <main class="sign-in">
      <h1>Barline</h1>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p>
        On your own machine, <code>barline workbench</code> prints an address that signs this browser in. On a server,
        use an API key.
      </p>
      <form onSubmit={submit}>
        <label>
          API key
          <input
            type="password"
            autocomplete="off"
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
            required
          />
        </label>
        <button type="submit">Sign in</button>
      </form>
      {refusal !== null && (
        <p class="problem" role="alert">
          {refusal}
        </p>
      )}
    </main>
  );
}
