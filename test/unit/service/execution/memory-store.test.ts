import { MemoryExecutionStore } from '../../../support/execution-store.js';
import { testExecutionStore } from '../../../support/execution-store-contract.js';

testExecutionStore('in memory', () => {
  const store = new MemoryExecutionStore();
  return { store, addStrategy: (owner, strategy) => store.addStrategy(owner, strategy) };
});
