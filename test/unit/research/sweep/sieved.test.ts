import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { bundledForecaster } from '../../../../data/sieve/index.js';
import { queryResults } from '../../../../data/sweeps/index.js';
import {
  type PlanOptions,
  planSweep,
  readSweep,
  ruleOf,
  type SweepDefinition,
} from '../../../../engine/sweep/index.js';
import { runSweep } from '../../../../research/sweep/index.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { crossSweep, findDataset, sha256 } from '../../../support/sweeps.js';
import { sweepsIn } from './swept-rows.js';

const { home, services } = sweepsIn('sieved');
const options: PlanOptions = { sha256, runsMax: 1_000_000, forecaster: bundledForecaster };

function definitionOf(more: object): SweepDefinition {
  const { definition, errors } = readSweep(crossSweep(more), findDataset);
  assert.deepEqual(errors, []);
  return definition!;
}

const textsOf = (definition: SweepDefinition, given = options): string[] => {
  const plan = planSweep(definition, given);
  return Array.from({ length: plan.totalRuns }, (_, index) => {
    const { dataset, entry, variant } = plan.run(index);
    return JSON.stringify([dataset.asset, entry.map((choice) => ruleOf(choice, dataset)), variant]);
  });
};

test('an ordered plan has the same runs, dataset by dataset, those likely to win first', () => {
  const definition = definitionOf({ sieve: { order: true } });
  const ordered = textsOf(definition);
  const plain = textsOf(definitionOf({}));
  assert.notDeepEqual(ordered, plain);
  assert.deepEqual(ordered.toSorted(), plain.toSorted());
  const plan = planSweep(definition, options);
  const forecaster = bundledForecaster(definition)!;
  for (let index = 1; index < plan.totalRuns; index++) {
    const [before, run] = [plan.run(index - 1), plan.run(index)];
    if (run.datasetIndex === before.datasetIndex) {
      assert.ok(forecaster.forecast(before).winning >= forecaster.forecast(run).winning);
    } else assert.equal(run.datasetIndex, before.datasetIndex + 1);
  }
  assert.deepEqual(textsOf(definition), ordered, 'the same order in every process');
});

const readings: readonly [what: string, sieve: unknown, error: RegExp | null][] = [
  ['an order that is no flag', { order: 1 }, /sieve\.order must be true or false, was 1/],
  ['a chance above 1', { skip_no_trades_above: 1.1 }, /sieve\.skip_no_trades_above must be 0\.\.1, was 1\.1/],
  ['nothing to do', { order: false }, null],
];

for (const [what, sieve, error] of readings) {
  test(`a sieve with ${what} is ${error === null ? 'left out with a warning' : 'refused'}`, () => {
    const { definition, errors, warnings } = readSweep(crossSweep({ sieve }), findDataset);
    if (error === null)
      assert.deepEqual([definition?.sieve, warnings], [null, ['sieve neither orders nor skips, ignored']]);
    else assert.match(errors.join(), error);
  });
}

const daily = { datasets: [{ asset: 'BTC', timeframe: '1d' }] };

async function swept(name: string, more: object) {
  const folder = join(home, name);
  const skipped: number[] = [];
  const request = sweepRequest(crossSweep({ ...daily, ...more }), folder);
  const outcome = await runSweep({ ...request, onProgress: (progress) => skipped.push(progress.skipped) }, services);
  const columns = 'config_hash, status, error_msg, total_return';
  const { rows } = await queryResults([folder], `SELECT ${columns} FROM results ORDER BY run_index`);
  return { outcome, rows, skipped: skipped.at(-1) };
}

test('runs that the sieve skips have rows that say so, are counted, and leave the others as they are', async () => {
  const plain = await swept('plain', {});
  assert.ok(plain.rows.every(([, status]) => status === 'ok' || status === 'no_trades'));
  const chances = await chancesOf(plain.rows.length);
  const bound = chances.toSorted((a, b) => a - b)[Math.floor(chances.length / 2)]!;
  const some = await swept('some', { sieve: { skip_winning_below: bound } });
  const expected = chances.filter((chance) => chance < bound).length;
  assert.ok(expected > 0 && expected < chances.length);
  assert.equal(some.skipped, expected);
  assert.match(some.outcome.warnings.join(), /runs that it skips are not executed/);
  for (const [i, [hash, status, message, growth]] of some.rows.entries()) {
    const [plainHash, ...rest] = plain.rows[i]!;
    assert.equal(hash, plainHash, 'the identity of a run does not depend on the sieve');
    if (chances[i]! < bound) {
      assert.deepEqual([status, growth], ['skipped', null]);
      assert.match(String(message), /^sieve: winning 0\.\d{3} is below 0\.\d+$/);
    } else assert.deepEqual([status, message, growth], rest);
  }
  assert.notEqual(some.outcome.planHash, plain.outcome.planHash, 'while the plan is another one');
});

async function chancesOf(count: number): Promise<number[]> {
  const request = sweepRequest(crossSweep({ ...daily, sieve: { skip_winning_below: 1 } }), join(home, 'all'));
  const { prepared } = await runSweep(request, services);
  const forecaster = bundledForecaster(prepared.definition)!;
  const { rows } = await queryResults([join(home, 'all')], "SELECT count(*) FROM results WHERE status = 'skipped'");
  assert.equal(Number(rows[0]![0]), count, 'no chance is 1');
  return Array.from({ length: count }, (_, i) => forecaster.forecast(prepared.plan.run(i)).winning);
}
