import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Api, asRest, grpcApi, restApi } from '../../support/api.js';
import { contract, sharedService } from '../../support/contract.js';
import { longExperiment, shortExperiment } from '../../support/experiments.js';
import { assertRefused } from '../../support/refusals.js';

const UNKNOWN = 'exp_20240131T120000123456Z';
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

/** Over REST, the status of the answer; gRPC has none. */
function assertStatus({ http }: Answer, status: number): void {
  if (http !== undefined) assert.equal(http.status, status);
}

contract('an experiment is stored, validated, launched and run to its end', async ({ api, unrecorded }) => {
  const config = { ...shortExperiment('Crosses'), notes: 'mine', unknown_key: { kept: [1, null] } };
  const created = await api.call('Experiments.Create', { config: config });
  assertStatus(created, 201);
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
  assertStatus(launched, 202);
  assert.deepEqual(launched.body, { experiment_id: id, status: 'queued', total_runs: RUNS });
  const ended = await untilEnded(unrecorded, id);
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
    assertStatus(gone, 404);
  }
});

contract('experiments are listed as an array, newest first, to their organization only', async ({ api, other }) => {
  for (const name of ['first', 'second', 'third']) await create(api, shortExperiment(name));
  await create(other, shortExperiment('theirs', { search_mode: 'random', n_random: 3 }));
  const list = async (
    by: Api,
  ): Promise<{ name: string; search_mode: string; experiment_id: string; created_at: string }[]> => {
    const answer = await by.call('Experiments.List');
    if (answer.http !== undefined) assert.ok(Array.isArray(JSON.parse(answer.http.text)));
    return answer.body.experiments;
  };
  const mine = await list(api);
  assert.deepEqual(
    mine.map(({ name }) => name),
    ['third', 'second', 'first'],
  );
  for (const [page, names] of [
    [{ limit: 1, offset: 1 }, ['second']],
    [{ limit: 3e9 }, ['third', 'second', 'first']],
    [{ limit: 0, offset: -1 }, ['third']],
    [{ offset: 3 }, []],
  ] as const) {
    const { experiments } = (await api.call('Experiments.List', page)).body;
    assert.deepEqual(
      experiments.map(({ name }: { name: string }) => name),
      names,
    );
  }
  const { experiment_id: _, created_at, ...rest } = mine[0]!;
  assert.deepEqual(rest, { name: 'third', status: 'draft', total_runs: null, completed: 0, search_mode: 'grid' });
  assert.ok(Date.parse(created_at) >= Date.parse(mine[2]!.created_at));
  assert.deepEqual(
    (await list(other)).map(({ name, search_mode }) => [name, search_mode]),
    [['theirs', 'random']],
  );
});

contract('experiments of another organization do not exist for the caller', async ({ api, other }) => {
  const id = await createValidated(other);
  for (const experiment_id of [id, UNKNOWN, 'nonsense']) {
    for (const method of ['Get', 'Delete', 'Validate', 'Launch', 'Pause', 'Cancel'] as const) {
      const answer = await api.call(`Experiments.${method}`, { experiment_id });
      assertRefused(answer, 'RESOURCE_NOT_FOUND', /^Experiment \w+ not found$/);
      assertStatus(answer, 404);
    }
    const replaced = await api.call('Experiments.Replace', {
      config: shortExperiment('x'),
      experiment_id: experiment_id,
    });
    assertRefused(replaced, 'RESOURCE_NOT_FOUND', /not found/);
  }
  assert.equal((await shown(other, id)).status, 'validated');
});

contract('a name of 1 to 200 characters is required; validation judges the rest', async ({ api }) => {
  const id = await create(api, { name: 'x'.repeat(200), datasets: 'none', search_mode: 7 });
  const requests = [
    (config: object) => api.call('Experiments.Create', { config: config }),
    (config: object) => api.call('Experiments.Replace', { config: config, experiment_id: id }),
  ];
  for (const request of requests) {
    for (const config of [{}, { name: null }]) {
      const answer = await request(config);
      assertRefused(answer, 'MISSING_FIELD', /^Missing required field: name$/);
      assertStatus(answer, 400);
    }
    for (const name of ['', 'x'.repeat(201), 7, ['x']]) {
      const answer = await request({ name });
      assertRefused(answer, 'INVALID_FIELD', /^name must be a text of 1\.\.200 characters, was /);
      assertStatus(answer, 400);
    }
  }
  assert.deepEqual((await shown(api, id)).datasets, 'none');
});

test('over gRPC a configuration that is not an object is refused', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  for (const [config, code] of [
    [null, 'MISSING_FIELD'],
    ['all of them', 'INVALID_FIELD'],
    [[1], 'INVALID_FIELD'],
  ] as const) {
    const call = service.client.call('Experiments.Create', { config }, { authorization: `Bearer ${token}` });
    await assert.rejects(call, { code }, JSON.stringify(config));
  }
});

contract('replacing turns a validated experiment into a draft, and is refused after the launch', async ({ api }) => {
  const id = await createValidated(api);
  const replaced = await api.call('Experiments.Replace', {
    config: { ...longExperiment('Long'), seed: 3 },
    experiment_id: id,
  });
  assertStatus(replaced, 200);
  assert.deepEqual([replaced.body.experiment_id, replaced.body.status], [id, 'draft']);
  const draft = await shown(api, id);
  assert.deepEqual([draft.name, draft.seed, draft.status, draft.total_runs], ['Long', 3, 'draft', null]);
  const launched = await api.call('Experiments.Launch', { experiment_id: id });
  assertRefused(launched, 'INVALID_STATE', /is draft; only a validated or paused experiment can be launched$/);
  assertStatus(launched, 409);
  for (const method of ['Pause', 'Cancel'] as const) {
    const answer = await api.call(`Experiments.${method}`, { experiment_id: id });
    assertRefused(answer, 'INVALID_FIELD', /is draft; only a /);
    assertStatus(answer, 400);
  }
  await api.call('Experiments.Validate', { experiment_id: id });
  await api.call('Experiments.Launch', { experiment_id: id });
  await api.call('Experiments.Pause', { experiment_id: id });
  const late = await api.call('Experiments.Replace', { config: shortExperiment('x'), experiment_id: id });
  assertRefused(late, 'INVALID_FIELD', /is paused; only a draft or validated experiment can be replaced$/);
  assertStatus(late, 400);
  const again = await api.call('Experiments.Validate', { experiment_id: id });
  assertRefused(again, 'INVALID_STATE', /is paused/);
});

contract('one experiment runs at a time, and a paused one leaves room', async ({ api, unrecorded }) => {
  const [long, short] = [await createValidated(api, longExperiment('Long')), await createValidated(api)];
  await api.call('Experiments.Launch', { experiment_id: long });
  const again = await unrecorded.call('Experiments.Launch', { experiment_id: long });
  // A double click launches nothing twice.
  assertRefused(again, 'INVALID_STATE', /is (queued|running); only a/);
  const second = await api.call('Experiments.Launch', { experiment_id: short });
  assertRefused(second, 'CONCURRENT_SWEEP_LIMIT', /^Tier Small allows 1 experiments at a time/);
  assertStatus(second, 429);
  assert.equal(second.http?.headers.get('Retry-After') ?? null, null, 'the end of a running experiment is unknown');
  assert.equal(second.http?.text.includes('retry_after') ?? false, false);

  const paused = await api.call('Experiments.Pause', { experiment_id: long });
  assert.deepEqual([paused.code, paused.body.status], ['OK', 'paused']);
  assertRefused(await api.call('Experiments.Pause', { experiment_id: long }), 'INVALID_FIELD', /is paused/);
  assert.equal((await api.call('Experiments.Launch', { experiment_id: short })).body.status, 'queued');
  const cancelled = await api.call('Experiments.Cancel', { experiment_id: long });
  assert.deepEqual([cancelled.code, cancelled.body.status], ['OK', 'cancelled']);
  assertRefused(await api.call('Experiments.Launch', { experiment_id: long }), 'INVALID_STATE', /is cancelled/);
});

test('progress is streamed from now on until the experiment has ended', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const api = grpcApi(service.client, token);
  const id = await createValidated(api);
  const authorization = `Bearer ${token}`;
  const watch = (by: string, experiment_id = id) =>
    service.client.stream('Experiments.WatchProgress', { experiment_id }, { authorization: by });
  const watched = watch(authorization);
  const { value: first } = await watched.next();
  assert.deepEqual([first?.status, first?.completed, first?.total], ['validated', 0, RUNS]);
  assert.deepEqual(first?.per_dataset, { BTC_1d: { completed: 0, total: RUNS, status: 'pending' } });
  await api.call('Experiments.Launch', { experiment_id: id });
  let last: Record<string, unknown> = {};
  let completed = 0;
  for await (const progress of watched) {
    assert.ok(Number(progress.completed) >= completed);
    completed = Number(progress.completed);
    last = progress;
  }
  assert.deepEqual([last.experiment_id, last.status, last.completed], [id, 'completed', RUNS]);
  const after = [];
  for await (const progress of watch(authorization)) after.push(progress);
  assert.deepEqual(after, [last], 'an ended experiment has one');

  const stranger = `Bearer ${(await service.login()).token}`;
  for (const refused of [watch(stranger), watch(authorization, UNKNOWN)]) {
    await assert.rejects(refused.next(), { code: 'RESOURCE_NOT_FOUND' });
  }
});

test('a watcher of a deleted experiment sees its stream end', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const api = restApi(service.origin, token);
  const id = await create(api);
  const watched = service.client.stream(
    'Experiments.WatchProgress',
    { experiment_id: id },
    { authorization: `Bearer ${token}` },
  );
  await watched.next();
  await api.call('Experiments.Delete', { experiment_id: id });
  assert.equal((await watched.next()).done, true);
});

const camel = (key: string) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

contract('the best run of an experiment is judged, once there are rows', async ({ api, unrecorded }) => {
  const id = await createValidated(api);
  const early = await api.call('Experiments.GetHonesty', { experiment_id: id });
  assertRefused(early, 'INVALID_STATE', /has no rows yet$/);
  await api.call('Experiments.Launch', { experiment_id: id });
  await untilEnded(unrecorded, id);
  const { body } = await api.call('Experiments.GetHonesty', { experiment_id: id, by: 'total_return' });
  assert.equal(body.datasets.length, 1);
  const [figures] = body.datasets;
  const { asset, leader, trial_count, cost_stress, overfitting, reshuffled } = figures;
  assert.deepEqual([asset, leader.metric, trial_count], ['BTC', 'total_return', RUNS]);
  assert.deepEqual([figures.min_trades, figures.eligible_trials <= RUNS], [30, true]);
  assert.deepEqual(Object.keys(cost_stress[0]), ['factor', 'sharpe', 'total_return', 'exhausted_on']);
  const snakes = Object.keys(figures).filter((key) => key.includes('_'));
  assert.equal(snakes.length, 23);
  assert.match(figures.verdict, /Run \d+ has the highest total return of .* tries that traded, /);
  assert.equal(figures.findings[0].question, 'Is it luck?');
  for (const key of snakes) assert.ok(camel(key) in figures, `${key} has its old name beside it until 0.3`);
  assert.deepEqual([figures.trialCount, figures.costStress[0].totalReturn], [RUNS, cost_stress[0].total_return]);
  for (const held of [overfitting, reshuffled]) {
    for (const key of Object.keys(held ?? {})) assert.ok(camel(key) in held, key);
  }
  const wrong = await api.call('Experiments.GetHonesty', { experiment_id: id, by: 'luck' });
  assertRefused(wrong, 'INVALID_FIELD', /^by must be one of .*, was "luck"$/);
  const unknown = await api.call('Experiments.GetHonesty', { experiment_id: UNKNOWN });
  assertRefused(unknown, 'RESOURCE_NOT_FOUND', /not found$/);
});

test('the page of an experiment needs nothing else, and its progress comes as server-sent events', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const api = restApi(service.origin, token);
  const id = await createValidated(api);
  const read = (path: string, by = token) =>
    fetch(`${service.origin}/api/v1/oracle/experiments/${id}/${path}`, { headers: { Authorization: `Bearer ${by}` } });
  const events = read('progress');
  await api.call('Experiments.Launch', { experiment_id: id });
  const told = await (await events).text(); // ends with the experiment
  const last = JSON.parse(
    told
      .trim()
      .split('\n')
      .at(-1)!
      .replace(/^data: /, ''),
  );
  assert.deepEqual([last.experiment_id, last.status, last.completed], [id, 'completed', RUNS]);
  const page = await read('report');
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const html = await page.text();
  assert.match(html, /Crosses/);
  assert.doesNotMatch(html, /<(?:script|link|img)[^>]+(?:src|href)="http/);
  const ranked = await (await read('report?by=max_drawdown&min_trades=7')).text();
  assert.match(ranked, /by max drawdown; lower is better\. Runs with fewer than 7 trades rank after all others/);
  const stranger = await service.login();
  for (const path of ['report', 'progress']) {
    const refused = await read(path, stranger.token);
    assert.deepEqual([refused.status, refused.headers.get('content-type')], [404, 'application/json; charset=utf-8']);
    await refused.body?.cancel();
  }
});
