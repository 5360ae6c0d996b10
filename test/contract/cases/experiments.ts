import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, asRest, grpcApi } from '../../support/api.js';
import { contract, sharedService } from '../../support/contract.js';
import { shortExperiment } from '../../support/experiments.js';
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

test('progress is streamed until the experiment has ended; then its best run is judged', async () => {
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
  assert.match(told.trim().split('\n').at(-1)!, new RegExp(`^data: .*"status":"completed".*"completed":${RUNS}\\b`));
  const stranger = `Bearer ${(await service.login()).token}`;
  await assert.rejects(watch(stranger).next(), { code: 'RESOURCE_NOT_FOUND' });

  const { body: listed } = await api.call('Experiments.ListRows', { experiment_id: id });
  assert.deepEqual(
    listed.files.map(({ run_from, run_to }: Record<string, number>) => [run_from, run_to]),
    [[0, RUNS]],
  );
  const accepted = { Accept: 'application/vnd.apache.parquet', Authorization: authorization };
  const rows = (from: number) =>
    fetch(`${service.origin}/api/v1/oracle/experiments/${id}/rows?run_from=${from}`, { headers: accepted });
  const file = await rows(RUNS - 1);
  assert.deepEqual([file.headers.get('X-Run-From'), file.headers.get('X-Run-To')], ['0', String(RUNS)]);
  const parquet = Buffer.from(await file.arrayBuffer());
  assert.deepEqual([parquet.length, parquet.toString('latin1', 0, 4)], [listed.files[0].bytes, 'PAR1']);
  assert.equal((await rows(RUNS)).status, 409);
  await assert.rejects(
    service.client.stream('Experiments.ReadRows', { experiment_id: id }, { authorization: stranger }).next(),
    { code: 'RESOURCE_NOT_FOUND' },
  );

  const { body } = await api.call('Experiments.GetHonesty', { experiment_id: id, by: 'total_return' });
  const [figures] = body.datasets;
  assert.deepEqual(
    [figures.asset, figures.leader.metric, figures.trial_count, figures.trialCount, figures.min_trades],
    ['BTC', 'total_return', RUNS, RUNS, 30],
  );
});
