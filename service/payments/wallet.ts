import { derivedUuid } from '../../data/hashes/index.js';
import type { Caller } from '../caller.js';

/** What the methods that are sold need. */
const scopes: readonly string[] = ['data:query', 'oracle:backtest', 'oracle:read'];

/**
 * The caller that a wallet is: it owns what its payments made and shares it with no other caller.
 * Its ids follow from the address, since a wallet has no user, no organization of people and no
 * tier.
 * @param payer address in lower case
 */
export function walletCaller(payer: string): Caller {
  const name = `wallet:${payer}`;
  return {
    userId: derivedUuid(name, 'user'),
    orgId: derivedUuid(name, 'organization'),
    role: 'member',
    tier: 'wallet',
    credential: 'wallet',
    credentialId: name,
    scopes,
  };
}
