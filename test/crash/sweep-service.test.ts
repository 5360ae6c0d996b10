import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBars } from '../../data/bars/index.js';
import { type CliRun, runCli, runCliBatch } from '../support/cli.js';
import { csvOf, fileOf, tempFolder } from '../support/data-fixtures.js';
import { freePort } from '../support/free-port.js';
import { startObjectStore } from '../support/object-store.js';
import { noPostgres, startPostgres } from '../support/postgres.js';
import { randomBars } from '../support/random.js';
import { runs } from '../support/scale.js';
import { succeed } from '../support/service-calls.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { newHome } from '../support/state.js';
import { comparableRows, exitOf, startSweep } from '../support/sweep-process.js';
import { crossSweep, filter, trigger } from '../support/sweeps.js';
import { root } from '../support/tree.js';

const plan = crossSweep({
  datasets: [{ asset: 'BTC', timeframe: '1h' }],
  entry_signals: {
    triggers: [
      trigger('sma_cross_up', {
        window_fast: { min: 3, max: runs(6, 42), step: 1 },
        window_slow: { min: 50, max: 90, step: 1 },
      }),
    ],
    filters: [filter('is_above_sma', { window: { min: 20, max: 100, step: 20 } })],
  },
});

/** A service that comes back at the same address. */
async function startAgainAndAgain(t: TestContext) {
  const home = await newHome();
  const settings = { BARLINE_HTTP_PORT: String(await freePort()), BARLINE_SWEEP_THREADS: '1' };
  let service = await startServiceProcess(home, settings);
  const key = service.firstKey ?? '';
  t.after(() => service.kill());
  return {
    key,
    current: (): ServiceProcess => service,
    async crash() {
      await service.kill();
      service = await startServiceProcess(home, settings);
    },
    async untilLaunched(): Promise<string> {
      for (;;) {
        const [found] = await succeed(service, key, 'GET', '/v1/oracle/experiments');
        if (found !== undefined && found.status !== 'draft' && found.status !== 'validated') return found.experiment_id;
        await sleep(20); // another process works by now
      }
    },
  };
}

/** What a sweep prints, but for its folder and its speed. */
const printed = ({ code, stdout, stderr }: CliRun): string => {
  assert.equal(code, 0, stderr);
  return stdout.replace(/^(\S+ of .*) in .*\n([\d,]+ runs\/s.*\n)?/, '$1');
};

test('a sweep on a service ends as one that ran here, although both the command and the service die', async (t) => {
  const folder = tempFolder(t);
  const at = (name: string) => join(folder, name);
  const planFile = at('plan.json');
  await writeFile(planFile, JSON.stringify(plan));
  const service = await startAgainAndAgain(t);
  const env = { BARLINE_API_KEY: service.key };
  const remote = ['--service', `${service.current().origin}/api/v1`];
  const args = [planFile, '--out', at('there'), '--report', at('there.html'), ...remote];

  const start = () => {
    const child = startSweep(args, at('home'), env);
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const killed = start();
  const id = await service.untilLaunched();
  killed.kill('SIGKILL');
  assert.equal(await exitOf(killed), null);
  await succeed(service.current(), service.key, 'POST', `/v1/oracle/experiments/${id}/pause`);
  const repeated = start();
  let said = '';
  let crashed: Promise<void> | null = null;
  for await (const text of repeated.stderr ?? []) {
    said += text;
    if (/what it can find/.test(said)) crashed ??= service.crash(); // it is about to launch the rest
  }
  await crashed;
  assert.equal(await exitOf(repeated), 0, said);
  assert.match(said, /does not answer \(\w+\); trying again\n[\s\S]*answers again\n/);
  const there = await runCli(['sweep', ...args], { home: at('home'), env });
  const here = await runCli(['sweep', planFile, '--out', at('here'), '--report', at('here.html')], {
    home: at('other'),
  });
  assert.equal(printed(there), printed(here));
  assert.deepEqual(await comparableRows(at('there')), await comparableRows(at('here')));
  const page = async (name: string) => (await readFile(at(name), 'utf8')).replaceAll(/exp_\w+/g, '');
  assert.equal(await page('there.html'), await page('here.html'));
  const listed = await succeed(service.current(), service.key, 'GET', '/v1/oracle/experiments');
  assert.deepEqual(
    listed.map(({ name, status }: Record<string, unknown>) => [name, status]),
    [['crosses', 'completed']],
  );

  const portfolios = ['sweep', join(root, 'examples/sweeps/rotations.json'), '--out'];
  const [one, other] = await Promise.all([
    runCli([...portfolios, at('there-too'), ...remote], { home: at('home'), env }),
    runCli([...portfolios, at('here-too')], { home: at('other') }),
  ]);
  assert.equal(printed(one), printed(other));
  assert.deepEqual(await comparableRows(at('there-too')), await comparableRows(at('here-too')));

  // A folder of another sweep, a plan that a service does not run, and bars that only one side has.
  const refusals = [
    [[join(root, 'examples/sweeps/crosses.json'), '--out', at('there')], /already has another sweep, exp_/],
    [[join(root, 'examples/sweeps/search.json')], /service refuses the plan: search_mode must be grid or random/],
    [[planFile, '--service', 'localhost:1'], /service must be the address of REST/],
    [['--resume'], /--resume must be left out with --service/],
  ] as const;
  const commands = refusals.map(([rest]) => ['sweep', ...remote, ...rest]);
  const [keyAlone] = await runCliBatch([['sweep', planFile, '--key', 'any']], { home: at('home'), env });
  assert.match(keyAlone?.stderr ?? '', /--key must be left out without --service/);
  const answers = await runCliBatch(commands, { home: at('home'), env });
  for (const [i, { code, stderr }] of answers.entries()) {
    assert.match(stderr, refusals[i]![1]);
    assert.equal(code, 2);
  }
});

test('hosts that share no folder run it by way of a store of objects that fails now and then', {
  skip: noPostgres,
}, async (t) => {
  const folder = tempFolder(t);
  const at = (name: string) => join(folder, name);
  const objects = await startObjectStore(1 / 5);
  t.after(() => objects.stop());
  const postgres = await startPostgres();
  t.after(() => postgres.stop());
  const settings = {
    ...objects.settings,
    DATABASE_URL: await postgres.newDatabase(),
    BARLINE_SWEEP_THREADS: '1',
  };
  // Imported where the API runs, and where the command judges the rows: the worker has no bars.
  const file = await fileOf(folder, 'own.csv', csvOf(randomBars({ seed: 11, barCount: 20_000 })));
  for (const name of ['front', 'home']) await openBars({ home: at(name) }).import(file, { asset: 'OWN' });
  const planFile = await fileOf(
    folder,
    'plan.json',
    JSON.stringify({ ...plan, datasets: [{ asset: 'OWN', timeframe: '1h' }] }),
  );
  const front = await startServiceProcess(at('front'), settings, ['--only', 'rpc', 'http']);
  t.after(() => front.kill());
  const startWorker = async (): Promise<ServiceProcess> => {
    const worker = await startServiceProcess(at('worker'), settings, ['--only', 'worker']);
    t.after(() => worker.kill());
    return worker;
  };
  const key = front.firstKey ?? '';
  const env = { BARLINE_API_KEY: key };
  const command = runCli(['sweep', planFile, '--out', at('there'), '--service', front.origin], {
    home: at('home'),
    env,
  });
  const worker = await startWorker();
  for (let completed = 0; completed === 0; await sleep(20)) {
    const [found] = await succeed(front, key, 'GET', '/v1/oracle/experiments');
    completed = found?.completed ?? 0;
  }
  await worker.kill();
  await rm(at('worker'), { recursive: true }); // a host that is gone with its disk
  await startWorker();
  const there = await command;
  const here = await runCli(['sweep', planFile, '--out', at('here')], { home: at('home') });
  assert.equal(there.code, 0, there.stderr);
  assert.equal(here.code, 0, here.stderr);
  assert.deepEqual(await comparableRows(at('there')), await comparableRows(at('here')));
  assert.ok(objects.seen.size > 3, [...objects.seen].join(' '));
});
