import { readFileSync } from 'node:fs';
import { readEnvironment } from '../../cli/environment.js';
import { openServices } from '../../cli/services.js';
import { runSweep } from '../../research/sweep/index.js';
import { moduleUrl } from './tree.js';

/**
 * `counted-sweep.ts FOLDER PLAN|--resume THREADS`: runs a sweep as the command does, on threads
 * that count their runs.
 */
const [folder, plan, threads] = process.argv.slice(2) as [string, string, string];
const isResumed = plan === '--resume';
await runSweep(
  {
    sweep: isResumed ? null : JSON.parse(readFileSync(plan, 'utf8')),
    folder,
    experimentId: 'counted',
    threads: Number(threads),
    isResumed,
    stop: new Int32Array(new SharedArrayBuffer(4)),
    onProgress: () => {},
    task: moduleUrl('test/support/counted-task'),
  },
  openServices(readEnvironment()),
);
