import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectSchema } from '../http/index.js';
import { requestMessage } from '../http/index.js';
import { ApiError, clip, type MethodName, type ReplyOf } from '../rpc/index.js';
import { assistantTool } from './assistant-tool.js';
import { asObject, type Book, restAnswer, toolRoute } from './method-tools.js';
import { checkArguments, placeArguments } from './place-arguments.js';
import { readOrRefuse, type Tool, type ToolCall } from './tool.js';

/*
 * Tools that start work, tell how far it is, and wait for its end. Cancelling the call stops the
 * work.
 */

const WAIT = 'wait_seconds';
/** Clients end a call without news after a minute or more; progress keeps it alive. */
const WAIT_S = 300;
const WAIT_S_MAX = 3_600;

const waitArgument = {
  type: 'number',
  minimum: 0,
  maximum: WAIT_S_MAX,
  default: WAIT_S,
  description:
    'Seconds to wait. Work that takes longer goes on, and the answer says how far it is. Cancelling the call stops the work.',
};

const hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

export const longTools = (book: Book): readonly Tool[] => [backtestTool(book), experimentTool(book), assistantTool];

const backtestMethods: readonly MethodName[] = ['Backtests.Submit', 'Backtests.GetStatus', 'Backtests.Cancel'];

function backtestTool(book: Book): Tool {
  const { input } = book.describe('Backtests.Submit');
  const schema = withArguments(input, {});
  return {
    name: 'backtests_run',
    set: 'backtests',
    methods: backtestMethods,
    title: 'Run a backtest and wait for its result',
    description:
      'Queues a backtest over held bars, waits for it and answers with its metrics and trades. Settings that are not given take the published defaults. The usual way to test a strategy: give strategy_json or strategy_id, interval and a window.',
    input: schema,
    output: book.describe('Backtests.GetStatus').output,
    hints,
    async act(call) {
      const { rpc, options } = call;
      const { message, waitMs } = await readOrRefuse(call, backtestMethods, () => {
        const { args, waitMs } = readArguments(call, schema);
        const route = toolRoute('Backtests.Submit');
        return { waitMs, message: requestMessage(route, placeArguments(route, args)) };
      });
      // The call has no signal: a cancellation needs the id of its run.
      const { body } = await rpc.call('Backtests.Submit', message as object, options);
      const { backtest_id: id } = body;
      const cancel = () => rpc.call('Backtests.Cancel', { id }, options);
      return stoppingOnCancel(call, cancel, () => backtestEnd(call, id, waitMs));
    },
  };
}

const POLL_MS = 100;
/** A long run is asked for less often, as each question counts as a call. */
const POLL_MS_MAX = 2_000;

async function backtestEnd({ rpc, options, signal, progress }: ToolCall, id: string, waitMs: number): Promise<object> {
  const untilMs = performance.now() + waitMs;
  for (let polls = 1; ; polls++) {
    const { body } = await rpc.call('Backtests.GetStatus', { id }, { ...options, signal });
    const leftMs = untilMs - performance.now();
    if ((body.status !== 'queued' && body.status !== 'running') || leftMs <= 0) {
      return asObject(await restAnswer('Backtests.GetStatus', body));
    }
    await progress({ done: polls, message: `backtest ${id} is ${body.status}` });
    await delay(Math.min(POLL_MS * 1.5 ** (polls - 1), POLL_MS_MAX, leftMs), undefined, { signal });
  }
}

const ID = 'experiment_id';

const experimentMethods: readonly MethodName[] = [
  ...(['Experiments.Create', 'Experiments.Validate', 'Experiments.Launch'] as const),
  ...(['Experiments.WatchProgress', 'Experiments.Get', 'Experiments.Cancel'] as const),
];

function experimentTool(book: Book): Tool {
  const { required: _, ...input } = book.describe('Experiments.Create').input;
  const schema = withArguments(input, {
    [ID]: { type: 'string', description: 'An experiment that is stored already, in place of a configuration.' },
  });
  return {
    name: 'experiments_run',
    set: 'experiments',
    methods: experimentMethods,
    title: 'Run a sweep and wait for its end',
    description:
      'Stores an experiment (a sweep over datasets, signals, parameters and settings), validates it, launches it and waits, with progress in runs. Then call experiments_get_honesty, which says how far the best run can be believed, and results_list for its rows.',
    input: schema,
    output: book.describe('Experiments.Get').output,
    hints,
    async act(call) {
      const { rpc, options, signal } = call;
      const { args, waitMs } = await readOrRefuse(call, experimentMethods, () => readArguments(call, schema));
      const id = await storedExperiment(call, args);
      const asked = { experiment_id: id };
      const { body: checked } = await rpc.call('Experiments.Validate', asked, { ...options, signal });
      if (!checked.valid) {
        const message = `experiment ${id} is not valid: ${checked.errors.join('; ')}`;
        throw new ApiError('VALIDATION_ERROR', message, { experiment_id: id, errors: checked.errors });
      }
      const cancel = () => rpc.call('Experiments.Cancel', asked, options);
      return stoppingOnCancel(call, cancel, async () => {
        await rpc.call('Experiments.Launch', asked, { ...options, signal });
        await experimentEnd(call, id, waitMs);
        const { body } = await rpc.call('Experiments.Get', asked, { ...options, signal });
        const { toJson = asObject } = toolRoute('Experiments.Get') as { toJson?: (reply: object) => unknown };
        return asObject(toJson(body));
      });
    },
  };
}

/** The id of the experiment that the arguments name, or whose configuration they are. */
async function storedExperiment({ rpc, options, signal }: ToolCall, args: ToolCall['args']): Promise<string> {
  const { [ID]: id, ...config } = args;
  if (id === undefined || id === null) {
    const { body } = await rpc.call('Experiments.Create', { config }, { ...options, signal });
    return body.experiment_id;
  }
  if (typeof id !== 'string' || Object.keys(config).length > 0) {
    const problem = typeof id === 'string' ? 'is given, so give no configuration' : `must be text, was ${typeof id}`;
    throw new ApiError('VALIDATION_ERROR', `${ID} ${problem}`, { field: ID });
  }
  return id;
}

/** Resolves when the experiment has ended or the time is over. */
async function experimentEnd({ rpc, options, signal, progress }: ToolCall, id: string, waitMs: number): Promise<void> {
  const waiting = AbortSignal.timeout(waitMs);
  const watching = { ...options, signal: AbortSignal.any([signal, waiting]), deadlineMs: null };
  let done = -1;
  try {
    for await (const step of rpc.stream('Experiments.WatchProgress', { experiment_id: id }, watching)) {
      if (step.completed <= done) continue; // said before: progress must grow
      done = step.completed;
      await progress({ done, total: step.total, message: progressText(id, step) });
    }
  } catch (error) {
    if (!waiting.aborted || signal.aborted) throw error;
  }
}

const progressText = (id: string, { status, completed, total }: ReplyOf<'Experiments.WatchProgress'>): string =>
  `experiment ${id} is ${status}: ${completed} of ${total} runs`;

/** Runs `work`; if the client cancels the call meanwhile, also stops what it waits for. */
async function stoppingOnCancel(
  { signal }: ToolCall,
  cancel: () => Promise<unknown>,
  work: () => Promise<object>,
): Promise<object> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    if (signal.aborted) await cancel().catch(() => {}); // it may have ended meanwhile
    throw error;
  }
}

function withArguments(input: ObjectSchema, more: ObjectSchema['properties']): ObjectSchema {
  return { ...input, properties: { ...input.properties, ...more, [WAIT]: waitArgument } };
}

function readArguments({ args }: ToolCall, schema: ObjectSchema) {
  checkArguments(args, schema);
  const { [WAIT]: wait, ...own } = args;
  const seconds = wait ?? WAIT_S;
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= WAIT_S_MAX)) {
    const message = `${WAIT} must be 0..${WAIT_S_MAX}, was ${clip(JSON.stringify(seconds), 60)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: WAIT });
  }
  return { args: own, waitMs: seconds * 1_000 };
}
