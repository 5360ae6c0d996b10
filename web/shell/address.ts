import { useEffect, useState } from 'preact/hooks';

/** Where the page is: a view, and what it shows. All of it stands in the address, so it can be sent. */
interface Place {
  readonly view: string;
  readonly state: Readonly<Record<string, string>>;
}

/** The fragment of the address: no server sees it. */
function readPlace(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  return { view: path === '' ? 'run' : path, state: Object.fromEntries(new URLSearchParams(query)) };
}

export const placeAddress = (view: string, state: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams(state).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
};

/** Changes what the present view shows, without a step in the browser's history. */
export const replaceState = (view: string, state: Readonly<Record<string, string>>): void =>
  history.replaceState(null, '', placeAddress(view, state));

export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const follow = (): void => setPlace(readPlace());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}

/** The one-time token of the address, which is then taken out of it. */
export function takeToken(): string | null {
  const found = /^#token=([\w-]+)$/.exec(location.hash);
  if (found === null) return null;
  history.replaceState(null, '', location.pathname);
  return found[1] ?? null;
}
