// Runs the plan in a file into a folder, phase by phase as `barline sweep` does, and prints the CPU
// time that all threads spent in each. It loads the build, as users do.
import { readFileSync } from 'node:fs';
import { rankRuns } from '../dist/cli/sweep-view.js';
import { openBars } from '../dist/data/bars/index.js';
import { openTries } from '../dist/data/tries/index.js';
import { renderSweep } from '../dist/report/index.js';
import {
  assessSweep,
  outcomeRuns,
  prepareSweep,
  recordTries,
  runSweep,
  sweepReport,
} from '../dist/research/sweep/index.js';
import { hashPlan } from '../dist/workers/index.js';

const [home, planFile, folder] = process.argv.slice(2);
const services = { store: openBars({ home }), engineVersion: '0.0.0' };
const sweep = JSON.parse(readFileSync(planFile, 'utf8'));
const ranking = { by: 'sharpe_ratio', minTrades: 30 };
const cpuMs = {};

async function phase(name, work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  cpuMs[name] = (user + system) / 1_000;
  return result;
}

await prepareSweep(sweep, services); // loads the code and the bars, which no run adds to
const plan = await phase('plan', async () => {
  const prepared = await prepareSweep(sweep, services);
  return hashPlan(sweep, prepared);
});
const stop = new Int32Array(new SharedArrayBuffer(4));
const request = { sweep, folder, experimentId: 'bench', threads: 2, isResumed: false, stop, onProgress: () => {} };
const outcome = await phase('runs', () => runSweep(request, services));
const runs = await outcomeRuns(outcome, ranking.by);
const triedBefore = await phase('ledger', () => recordTries(outcome.prepared, runs, openTries(home)));
const honesty = await phase('judgement', () =>
  assessSweep(outcome.prepared, folder, ranking.by, { minTrades: ranking.minTrades, triedBefore, threads: 2, runs }),
);
const ranked = await phase('table', () => rankRuns([folder], ranking, 10));
const sheet = await phase('page', async () => {
  const report = await sweepReport(outcome, ranking.by, honesty, ranking.minTrades);
  return { report, bytes: renderSweep(report).length };
});
const { traded, best } = ranked;
const [{ trialCount, sampledTrials, leader }] = honesty;
const { done, counts } = sheet.report;
const places = { run: best.columns.indexOf('run_index'), value: best.columns.indexOf(ranking.by) };
const first = { run: Number(best.rows[0][places.run]), value: Number(best.rows[0][places.value]) };
const hasSamePlan = plan === outcome.planHash;
console.log(JSON.stringify({ cpuMs, done, traded, trialCount, sampledTrials, counts, leader, first, hasSamePlan }));
