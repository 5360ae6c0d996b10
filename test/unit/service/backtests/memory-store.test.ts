import { memoryBacktestStore } from '../../../support/backtest-store.js';
import { testBacktestStore } from '../../../support/backtest-store-contract.js';

testBacktestStore('in memory', async () => memoryBacktestStore());
