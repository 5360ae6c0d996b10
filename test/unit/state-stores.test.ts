import { SqlIdempotencyStore, SqlIdentityStore, SqlUsageStore } from '../../data/state/index.js';
import { onEachBackend } from '../support/backends.js';
import { identityStoreContract } from '../support/identity-store-contract.js';
import { idempotencyStoreContract, usageStoreContract } from '../support/limit-stores-contract.js';

onEachBackend((backend, open) => {
  identityStoreContract(`identities, ${backend}`, async () => new SqlIdentityStore((await open()).db));
  usageStoreContract(`usage, ${backend}`, async () => new SqlUsageStore((await open()).db));
  idempotencyStoreContract(`idempotency keys, ${backend}`, async () => new SqlIdempotencyStore((await open()).db));
});
