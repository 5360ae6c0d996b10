import { identityStoreContract } from '../../../support/identity-store-contract.js';
import { MemoryIdentityStore } from '../../../support/memory-identity-store.js';

identityStoreContract('store in memory', async () => new MemoryIdentityStore());
