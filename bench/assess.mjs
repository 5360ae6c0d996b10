// Assesses the sweep in a folder in a process of its own, and prints its figures, time and memory.
// It loads the build, as users do: compiling sources at run time took 80 MB more.
import { openBars } from '../dist/data/bars/index.js';
import { openSweepFolder } from '../dist/data/sweeps/index.js';
import { assessSweep, prepareSweep } from '../dist/research/sweep/index.js';

const [home, folder] = process.argv.slice(2);
const { sweep } = await openSweepFolder(folder).readRecord();
const prepared = await prepareSweep(sweep, { store: openBars({ home }) });
const start = performance.now();
const before = process.cpuUsage();
const [honesty] = await assessSweep(prepared, folder, 'sharpe_ratio', { threads: 2 });
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(before);
const cpuMs = (user + system) / 1_000;
console.log(JSON.stringify({ honesty, ms, cpuMs, peakMb: process.resourceUsage().maxRSS / 1_024 }));
