/** Assesses the sweep in a folder in a process of its own, and prints its figures, time and memory. */
import { openBars } from '../data/bars/index.js';
import { openSweepFolder } from '../data/sweeps/index.js';
import { assessSweep, prepareSweep, type SweepRecord } from '../research/sweep/index.js';

const [home, folder] = process.argv.slice(2) as [string, string];
const { sweep } = (await openSweepFolder(folder).readRecord()) as SweepRecord;
const prepared = await prepareSweep(sweep, { store: openBars({ home }) });
const start = performance.now();
const before = process.cpuUsage();
const [honesty] = await assessSweep(prepared, folder, 'sharpe_ratio', { threads: 2 });
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(before);
const cpuMs = (user + system) / 1_000;
console.log(JSON.stringify({ honesty, ms, cpuMs, peakMb: process.resourceUsage().maxRSS / 1_024 }));
