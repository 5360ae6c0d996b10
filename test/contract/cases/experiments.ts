import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, asRest, grpcApi } from '../../support/api.js';
import { contract, sharedService } from '../../support/contract.js';
import { longExperiment, shortExperiment } from '../../support/experiments.js';
import { assertRefused } from '../../support/refusals.js';

const RUNS = 12;

async function create(api: Api, config: object = shortExperiment('Crosses')): Promise<string> {
  const { body, message } = await api.call('Experiments.Create', { config: config });
  assert.ok(body !== null, String(message));
  return body.experiment_id;
}

async function createValidated(api: Api, config?: object): Promise<string> {
  const id = await create(api, config);
  const { body } = await api.call('Experiments.Validate', { experiment_id: id });
  assert.deepEqual(body.errors, []);
  return id;
}

/** In the form of REST. */
const shown = async (api: Api, id: string) => {
  return asRest('Experiments.Get', await api.call('Experiments.Get', { experiment_id: id })).body;
};

async function untilEnded(api: Api, id: string) {
  for (;;) {
    const experiment = await shown(api, id);
    if (['completed', 'failed', 'cancelled'].includes(experiment.status)) return experiment;
    await sleep(20); // the next answer is all there is to wait for
  }
}

contract('an experiment is stored, validated, launched and run to its end', async ({ api }) => {
  const config = { ...shortExperiment('Crosses'), notes: 'mine', unknown_key: { kept: [1, null] } };
  const created = await api.call('Experiments.Create', { config: config });
  const id: string = created.body.experiment_id;
  assert.match(id, /^exp_20\d{6}T\d{12}Z$/);
  const draft = await shown(api, id);
  for (const [name, value] of Object.entries(config)) assert.deepEqual(draft[name], value, name);
  assert.deepEqual(
    [draft.status, draft.total_runs, draft.completed_runs, draft.plan_hash, draft.error],
    ['draft', null, 0, null, null],
  );
  assert.ok(!Number.isNaN(Date.parse(draft.created_at)) && typeof draft.org_id === 'string');

  const { body: validation } = await api.call('Experiments.Validate', { experiment_id: id });
  assert.deepEqual([validation.valid, validation.total_runs, validation.errors], [true, RUNS, []]);
  assert.match(validation.warnings.join(), /unknown_key/);
  const validated = await shown(api, id);
  assert.deepEqual([validated.status, validated.total_runs], ['validated', RUNS]);
  assert.match(validated.plan_hash, /^[0-9a-f]{64}$/);

  const launched = await api.call('Experiments.Launch', { experiment_id: id });
  assert.deepEqual(launched.body, { experiment_id: id, status: 'queued', total_runs: RUNS });
  const ended = await untilEnded(api, id);
  assert.deepEqual([ended.status, ended.completed_runs, ended.error], ['completed', RUNS, null]);
  const { progress } = await shown(api, id);
  assert.deepEqual([progress.completed, progress.total, progress.eta_seconds, progress.errors], [RUNS, RUNS, null, 0]);
  assert.deepEqual(progress.per_dataset, { BTC_1d: { completed: RUNS, total: RUNS, status: 'done' } });
  assert.ok(Date.parse(ended.launched_at) <= Date.parse(ended.started_at));
  assert.ok(Date.parse(ended.started_at) <= Date.parse(ended.ended_at));

  for (const method of ['Launch', 'Pause', 'Cancel', 'Validate'] as const) {
    const answer = await api.call(`Experiments.${method}`, { experiment_id: id });
    assert.ok(['INVALID_STATE', 'INVALID_FIELD'].includes(answer.code), `${method}: ${answer.code}`);
    assert.match(answer.message ?? '', /is completed; only a/);
  }
  const { body: deleted } = await api.call('Experiments.Delete', { experiment_id: id });
  assert.deepEqual(deleted, {
    experiment_id: id,
    status: 'deleted',
    total_runs: null,
  });
  for (const method of ['Get', 'Delete', 'Launch'] as const) {
    const gone = await api.call(`Experiments.${method}`, { experiment_id: id });
    assertRefused(gone, 'RESOURCE_NOT_FOUND', /^Experiment exp_\w+ not found$/);
  }
});

contract('experiments are listed as an array, newest first, to their organization only', async ({ api, other }) => {
  for (const name of ['first', 'second', 'third']) await create(api, shortExperiment(name));
  await create(other, shortExperiment('theirs', { search_mode: 'random', n_random: 3 }));
  const list = async (
    by: Api,
  ): Promise<{ name: string; search_mode: string; experiment_id: string; created_at: string }[]> => {
    const answer = await by.call('Experiments.List');
    return answer.body.experiments;
  };
  const mine = await list(api);
  assert.deepEqual(
    mine.map(({ name }) => name),
    ['third', 'second', 'first'],
  );
  const { experiment_id: _, created_at, ...rest } = mine[0]!;
  assert.deepEqual(rest, { name: 'third', status: 'draft', total_runs: null, completed: 0, search_mode: 'grid' });
  assert.ok(Date.parse(created_at) >= Date.parse(mine[2]!.created_at));
  assert.deepEqual(
    (await list(other)).map(({ name, search_mode }) => [name, search_mode]),
    [['theirs', 'random']],
  );
});

contract('a name of 1 to 200 characters is required; validation judges the rest', async ({ api }) => {
  const id = await create(api, { name: 'x'.repeat(200), datasets: 'none', search_mode: 7 });
  const requests = [
    (config: object) => api.call('Experiments.Create', { config: config }),
    (config: object) => api.call('Experiments.Replace', { config: config, experiment_id: id }),
  ];
  for (const request of requests) {
    assertRefused(await request({}), 'MISSING_FIELD', /^Missing required field: name$/);
    assertRefused(await request({ name: 7 }), 'INVALID_FIELD', /^name must be a text of 1\.\.200 characters, was /);
  }
  assert.deepEqual((await shown(api, id)).datasets, 'none');
});

contract('replacing turns a validated experiment into a draft, and is refused after the launch', async ({ api }) => {
  const id = await createValidated(api);
  const replaced = await api.call('Experiments.Replace', {
    config: { ...longExperiment('Long'), seed: 3 },
    experiment_id: id,
  });
  assert.deepEqual([replaced.body.experiment_id, replaced.body.status], [id, 'draft']);
  const draft = await shown(api, id);
  assert.deepEqual([draft.name, draft.seed, draft.status, draft.total_runs], ['Long', 3, 'draft', null]);
  const launched = await api.call('Experiments.Launch', { experiment_id: id });
  assertRefused(launched, 'INVALID_STATE', /is draft; only a validated or paused experiment can be launched$/);
  for (const method of ['Pause', 'Cancel'] as const) {
    const answer = await api.call(`Experiments.${method}`, { experiment_id: id });
    assertRefused(answer, 'INVALID_FIELD', /is draft; only a /);
  }
  await api.call('Experiments.Validate', { experiment_id: id });
  await api.call('Experiments.Launch', { experiment_id: id });
  await api.call('Experiments.Pause', { experiment_id: id });
  const late = await api.call('Experiments.Replace', { config: shortExperiment('x'), experiment_id: id });
  assertRefused(late, 'INVALID_FIELD', /is paused; only a draft or validated experiment can be replaced$/);
  const again = await api.call('Experiments.Validate', { experiment_id: id });
  assertRefused(again, 'INVALID_STATE', /is paused/);
});

contract('one experiment runs at a time, and a paused one leaves room', async ({ api }) => {
  const [long, short] = [await createValidated(api, longExperiment('Long')), await createValidated(api)];
  await api.call('Experiments.Launch', { experiment_id: long });
  const again = await api.call('Experiments.Launch', { experiment_id: long });
  // A double click launches nothing twice.
  assertRefused(again, 'INVALID_STATE', /is (queued|running); only a/);
  const second = await api.call('Experiments.Launch', { experiment_id: short });
  assertRefused(second, 'CONCURRENT_SWEEP_LIMIT', /^Tier Small allows 1 experiments at a time/);

  const paused = await api.call('Experiments.Pause', { experiment_id: long });
  assert.deepEqual([paused.code, paused.body.status], ['OK', 'paused']);
  assertRefused(await api.call('Experiments.Pause', { experiment_id: long }), 'INVALID_FIELD', /is paused/);
  assert.equal((await api.call('Experiments.Launch', { experiment_id: short })).body.status, 'queued');
  const cancelled = await api.call('Experiments.Cancel', { experiment_id: long });
  assert.deepEqual([cancelled.code, cancelled.body.status], ['OK', 'cancelled']);
  assertRefused(await api.call('Experiments.Launch', { experiment_id: long }), 'INVALID_STATE', /is cancelled/);
});

test('progress is streamed until the experiment has ended; then its best run is judged, and its page stands alone', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const api = grpcApi(service.client, token);
  const id = await createValidated(api);
  const early = await api.call('Experiments.GetHonesty', { experiment_id: id });
  assertRefused(early, 'INVALID_STATE', /has no rows yet$/);
  const authorization = `Bearer ${token}`;
  const watch = (by: string) =>
    service.client.stream('Experiments.WatchProgress', { experiment_id: id }, { authorization: by });
  const read = (path: string) =>
    fetch(`${service.origin}/api/v1/oracle/experiments/${id}/${path}`, { headers: { Authorization: authorization } });
  const watched = watch(authorization);
  const events = read('progress');
  const { value: first } = await watched.next();
  assert.deepEqual([first?.status, first?.completed, first?.total], ['validated', 0, RUNS]);
  assert.deepEqual(first?.per_dataset, { BTC_1d: { completed: 0, total: RUNS, status: 'pending' } });
  await api.call('Experiments.Launch', { experiment_id: id });
  let last: Record<string, unknown> = {};
  for await (const progress of watched) {
    assert.ok(Number(progress.completed) >= Number(last.completed ?? 0));
    last = progress;
  }
  assert.deepEqual([last.experiment_id, last.status, last.completed], [id, 'completed', RUNS]);
  const told = await (await events).text(); // ends with the experiment
  const shownLast = JSON.parse(
    told
      .trim()
      .split('\n')
      .at(-1)!
      .replace(/^data: /, ''),
  );
  assert.deepEqual([shownLast.status, shownLast.completed], ['completed', RUNS]);
  const stranger = `Bearer ${(await service.login()).token}`;
  await assert.rejects(watch(stranger).next(), { code: 'RESOURCE_NOT_FOUND' });

  const { body } = await api.call('Experiments.GetHonesty', { experiment_id: id, by: 'total_return' });
  const [figures, ...others] = body.datasets;
  assert.deepEqual(
    [figures.asset, figures.leader.metric, figures.trial_count, others],
    ['BTC', 'total_return', RUNS, []],
  );
  assert.deepEqual([figures.min_trades, figures.eligible_trials <= RUNS], [30, true]);
  assert.match(figures.verdict, /Run \d+ has the highest total return of .* tries that traded, /);
  const snakes = Object.keys(figures).filter((key) => key.includes('_'));
  for (const key of snakes) assert.ok(camel(key) in figures, `${key} has its old name beside it until 0.3`);

  const page = await read('report?by=max_drawdown&min_trades=7');
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const html = await page.text();
  assert.match(html, /by max drawdown; lower is better\. Runs with fewer than 7 trades rank after all others/);
  assert.doesNotMatch(html, /<(?:script|link|img)[^>]+(?:src|href)="http/);
});

const camel = (key: string) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
