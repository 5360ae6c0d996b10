import { CredentialCache, type CredentialChange, isKindOfChange } from './index.js';
import type { State } from '../state/index.js';

const CHANNEL = 'barline_credentials';

/**
 * A credential cache that tells the other processes on the state what this one revokes, and drops
 * what they revoke.
 */
export async function sharedCredentialCache(state: State, clock: () => number): Promise<CredentialCache> {
  const cache = new CredentialCache(clock, (change) => state.notify(CHANNEL, JSON.stringify(change)));
  await state.listen(CHANNEL, {
    onNotice: (text) => {
      const change = readChange(text);
      if (change === null) cache.clear();
      else cache.drop(change);
    },
    onDeaf: () => cache.setDeaf(true),
    onHearing: () => cache.setDeaf(false),
  });
  return cache;
}

/** Null for a notice that this version does not understand. */
function readChange(text: string): CredentialChange | null {
  try {
    const { kind, id } = JSON.parse(text) as CredentialChange;
    return isKindOfChange(kind) && typeof id === 'string' ? { kind, id } : null;
  } catch {
    return null;
  }
}
