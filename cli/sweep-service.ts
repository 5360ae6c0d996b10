import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { addFile } from '../data/files.js';
import type { SweepFolder } from '../data/sweeps/index.js';
import { EngineError, errorMessage } from '../engine/errors.js';
import { clip } from '../engine/text.js';
import { pathPrefixes } from '../http/paths.js';
import { type components, createRestClient, type RestClient } from '../library/client.js';
import { missingRanges, type PlanToRun, type SweepProgress, type SweepRunner } from '../research/sweep/index.js';
import { note } from './output.js';

interface SweepServiceOptions {
  /** Where the REST API of the service answers, with or without its prefix. */
  readonly url: string;
  readonly key: string | null;
  readonly folderOf: (experimentId: string) => string;
  readonly onProgress: (progress: SweepProgress) => void;
  /** Set to a value other than 0 to wait no longer and take the rows that there are. */
  readonly stop: Int32Array;
}

/** A service that is away for longer than some half an hour ends the command, which can be repeated. */
const RETRIES = 200;
/** An answer that does not begin within this time is asked for again. */
const SILENCE_MS_MAX = 60_000;
/** A long plan takes minutes to validate, and asking again would begin anew. */
const WRITE_MS_MAX = 600_000;
const POLL_MS_MIN = 200;
const POLL_MS_MAX = 2_000;
const LISTED_MAX = 1_000;

/** Experiments that rows can be expected of. */
const usable: readonly string[] = ['validated', 'queued', 'running', 'paused', 'completed'];
const going: readonly string[] = ['queued', 'running'];

const EXPERIMENTS = `${pathPrefixes.v1}/oracle/experiments` as const;
const EXPERIMENT = `${EXPERIMENTS}/{experiment_id}` as const;

/**
 * A running service that runs sweeps, over REST. A plan is looked for among the experiments of the
 * caller's organization by its hash, so a command that is repeated goes on with the experiment that
 * it began, and rows that the folder has are not sent again.
 * @throws EngineError for an address or a key that cannot be right
 */
export function sweepService(options: SweepServiceOptions): SweepRunner {
  const { key, folderOf, stop, onProgress } = options;
  const url = serviceOrigin(options.url);
  if (key === null) {
    throw new EngineError('MISSING_FIELD', '--service needs an API key: set BARLINE_API_KEY', { field: 'key' });
  }
  const client = createRestClient({ url, key, retries: RETRIES, fetch: wholeAnswers(url) });
  let id = '';
  let runs = 0;

  const progressOf = async () => {
    const { status, error, progress } = await answered(client.GET(EXPERIMENT, at(id)));
    const { completed = 0, rate = 0, errors = 0, skipped = 0 } = progress ?? {};
    onProgress({ done: completed, total: runs, runsPerSecond: rate, errors, skipped, best: null });
    return { status, error, completed };
  };

  return {
    folderOf,
    async open(plan) {
      await requireSameVersion(url, plan);
      runs = plan.total_runs;
      id = (await findExperiment(client, plan)) ?? (await newExperiment(client, plan));
      return id;
    },
    async run(folder, hold) {
      const before = await progressOf();
      if (before.status === 'validated' || before.status === 'paused') await launch(client, id);
      let waitMs = POLL_MS_MIN;
      let now = await progressOf();
      while (going.includes(now.status) && Atomics.load(stop, 0) === 0) {
        await delay(waitMs);
        waitMs = Math.min(2 * waitMs, POLL_MS_MAX);
        now = await progressOf();
        await hold.touch();
      }
      const failure = `the service could not run experiment ${id}: ${now.error}`;
      if (now.status === 'failed' && now.completed === 0) throw new EngineError('INVALID_DATA', failure);
      if (now.status === 'failed') note(`barline: ${failure}`);
      await takeRows(client, id, folder);
      return runs - missingRanges(await folder.parts(), runs).reduce((sum, { from, to }) => sum + to - from, 0);
    },
  };
}

const at = (experiment_id: string) => ({ params: { path: { experiment_id } } });

/** @throws EngineError INVALID_FIELD for anything but an http or https address */
function serviceOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    const message = `service must be the address of REST, such as http://127.0.0.1:5001, was ${clip(text, 100)}`;
    throw new EngineError('INVALID_FIELD', message, { field: 'service' });
  }
  const path = url.pathname.replace(/\/$/, '');
  return `${url.origin}${path.endsWith(pathPrefixes.v1) ? path.slice(0, -pathPrefixes.v1.length) : path}`;
}

/**
 * Reads each answer to its end, so that one that breaks off is asked for again like one that never
 * came. Says once that the service is away, and once that it is back.
 */
function wholeAnswers(url: string): (request: Request) => Promise<Response> {
  let isAway = false;
  return async (request) => {
    const silence = new AbortController();
    const maxMs = request.method === 'GET' ? SILENCE_MS_MAX : WRITE_MS_MAX;
    const timer = setTimeout(() => silence.abort(new Error(`no answer within ${maxMs} ms`)), maxMs);
    try {
      const answer = await fetch(request, { signal: silence.signal });
      clearTimeout(timer);
      const { status, statusText, headers } = answer;
      const whole = new Response(await answer.arrayBuffer(), { status, statusText, headers });
      if (isAway) note(`barline: ${url} answers again`);
      isAway = false;
      return whole;
    } catch (error) {
      if (!isAway) note(`barline: ${url} does not answer (${reasonOf(error)}); trying again`);
      isAway = true;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Node says `fetch failed` and keeps the reason in the cause. */
const reasonOf = (error: unknown): string => {
  const { cause } = error as { readonly cause?: { readonly code?: string } };
  return cause?.code ?? errorMessage(cause ?? error);
};

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** @throws EngineError with the service's own words where it refuses */
async function answered<T>(call: Promise<Answer<T>>): Promise<T> {
  return (await received(call)).data;
}

async function received<T>(call: Promise<Answer<T>>): Promise<{ readonly data: T; readonly headers: Headers }> {
  const { data, error, response } = await call.catch((error: unknown) => {
    throw new EngineError('CONFLICT', `the service does not answer: ${reasonOf(error)}; repeat the command to go on`);
  });
  if (data !== undefined && response.ok) return { data, headers: response.headers };
  const { code, message } = (error ?? {}) as { readonly code?: string; readonly message?: string };
  const said =
    message === undefined ? `status ${response.status}` : `${message}${code === undefined ? '' : ` (${code})`}`;
  throw new EngineError('INVALID_FIELD', `the service refuses: ${said}`, { status: response.status, code });
}

/** The first call: an address where nothing answers is reported at once. */
async function requireSameVersion(url: string, { engine_version: version }: PlanToRun): Promise<void> {
  const answer = await fetch(`${url}${pathPrefixes.v1}/health`, { signal: AbortSignal.timeout(SILENCE_MS_MAX) }).catch(
    (error) => {
      throw new EngineError('NOT_FOUND', `no service answers at ${url}: ${reasonOf(error)}`, { field: 'service' });
    },
  );
  const { service, version: other } = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  if (service !== 'barline') {
    throw new EngineError('NOT_FOUND', `${url} is no Barline service: its health says ${answer.status}`);
  }
  if (other === version) return;
  throw new EngineError(
    'CONFLICT',
    `the service has version ${other}, this is ${version}: rows of two versions would mix`,
  );
}

async function findExperiment(client: RestClient, plan: PlanToRun): Promise<string | null> {
  const { name } = plan.sweep as { readonly name: string };
  const query = { limit: LISTED_MAX };
  const listed = await answered(client.GET(EXPERIMENTS, { params: { query } }));
  for (const { experiment_id: id, ...one } of listed) {
    if (one.name !== name || one.total_runs !== plan.total_runs || !usable.includes(one.status)) continue;
    const { plan_hash: hash } = await answered(client.GET(EXPERIMENT, at(id)));
    if (hash === plan.plan_hash) return id;
  }
  return null;
}

/**
 * Stores and validates a plan. The plan makes the idempotency key, so that a command that dies
 * in between leaves nothing behind that its repetition does not find.
 */
async function newExperiment(client: RestClient, plan: PlanToRun): Promise<string> {
  const create = async (key: string): Promise<string> => {
    const headers = { 'Idempotency-Key': key };
    const body = plan.sweep as components['schemas']['SweepPlan']; // checked here as a plan
    return (await answered(client.POST(EXPERIMENTS, { body, headers }))).experiment_id;
  };
  let id = await create(`sweep-${plan.plan_hash}`);
  // The answer may tell of an earlier experiment that was deleted, cancelled or failed since.
  const { data: found } = await client.GET(EXPERIMENT, at(id));
  if (found?.status !== 'draft') id = await create(crypto.randomUUID());
  const { valid, errors } = await answered(client.POST(`${EXPERIMENT}/validate`, at(id)));
  const { plan_hash: hash } = await answered(client.GET(EXPERIMENT, at(id)));
  if (valid && hash === plan.plan_hash) return id;
  await client.DELETE(EXPERIMENT, at(id));
  if (!valid) throw new EngineError('INVALID_FIELD', `the service refuses the plan: ${errors.join('; ')}`);
  const why = 'its bars or held-out days differ from those of this machine';
  throw new EngineError('CONFLICT', `the service makes other runs of this plan: ${why}`, { plan_hash: hash });
}

async function launch(client: RestClient, id: string): Promise<void> {
  const { error, response } = await client.POST(`${EXPERIMENT}/launch`, at(id));
  if (response.ok) return;
  const { status } = await answered(client.GET(EXPERIMENT, at(id)));
  if (going.includes(status) || status === 'completed') return; // another command was faster
  await answered(Promise.resolve({ error, response }));
}

/** Brings the rows that the folder does not have; each file appears whole. */
async function takeRows(client: RestClient, id: string, folder: SweepFolder): Promise<void> {
  const path = `${EXPERIMENT}/rows` as const;
  const listed = await answered(client.GET(path, at(id)));
  if (typeof listed === 'string') return; // Parquet, which was not asked for
  for (const { run_from: from, run_to: to } of listed.files) {
    const known = (await folder.parts()).filter((part) => part.from < to && part.to > from);
    if (missingRanges([{ from: 0, to: from }, ...known], to).length === 0) continue;
    const { data, headers } = await received(
      client.GET(path, {
        params: { ...at(id).params, query: { run_from: from } },
        headers: { Accept: 'application/vnd.apache.parquet' },
        parseAs: 'arrayBuffer',
      }),
    );
    // Files are joined meanwhile, so it may have more runs than the one in the list.
    const [first, end] = [Number(headers.get('X-Run-From')), Number(headers.get('X-Run-To'))];
    await addFile(folder.partPath(first, end), (aside) => writeFile(aside, new Uint8Array(data)));
  }
}
