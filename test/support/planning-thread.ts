import { parentPort, workerData } from 'node:worker_threads';
import { planOf } from './sweeps.js';

/**
 * Plans a configuration in a thread whose heap its starter limits, and posts the number of runs.
 */
const { totalRuns, run } = planOf(workerData.sweep, { runsMax: workerData.runsMax });
run(totalRuns - 1);
parentPort?.postMessage(totalRuns);
