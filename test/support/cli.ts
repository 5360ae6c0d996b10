import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { commandArgs, nodeArgs, root } from './tree.js';

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** BARLINE_HOME, which no test shares with the machine or with another test. */
  readonly home: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Working folder; by default the root of the repository, so that arguments can name `examples/`.
   */
  readonly cwd?: string;
}

/** Runs one command in a process of its own, with pipes for stdout and stderr. */
export const runCli = (args: readonly string[], options: CliOptions): Promise<CliRun> =>
  runNode(commandArgs(...args), options);

/**
 * Runs several commands in one process, one after the other, each with a fresh start of the
 * program. A process start costs more than most commands do, so all batches of a test process share
 * one. `runCli` is for what only a real process shows: exit codes, pipes, standard input.
 */
export async function runCliBatch(commands: readonly (readonly string[])[], options: BatchOptions): Promise<CliRun[]> {
  const before = lastBatch;
  const batch = (async () => {
    await before.catch(() => {});
    return runInHost(commands, options);
  })();
  lastBatch = batch;
  return batch;
}

interface BatchOptions extends Omit<CliOptions, 'stdin'> {
  /** Columns of the terminal that the commands write to; a pipe by default. */
  readonly terminal?: Terminal;
}

interface Terminal {
  readonly columns: number;
  readonly hasColors: boolean;
}

/** Commands for one home, in this folder and with these environment variables. */
export interface CliBatch {
  readonly commands: readonly (readonly string[])[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly terminal: Terminal | null;
}

/** Batches share standard output and working folder of their process, so they run one by one. */
let lastBatch: Promise<unknown> = Promise.resolve();

/** Processes that run commands, by time zone, which a process reads at its start. */
const hosts = new Map<string, ChildProcess>();

async function runInHost(
  commands: readonly (readonly string[])[],
  { home, env = {}, cwd = root, terminal }: BatchOptions,
): Promise<CliRun[]> {
  const zone = env.TZ ?? '';
  const host = hosts.get(zone) ?? startHost(env.TZ);
  hosts.set(zone, host);
  host.ref();
  host.channel?.ref();
  host.send({ commands, cwd, env: { ...env, BARLINE_HOME: home }, terminal: terminal ?? null } satisfies CliBatch);
  const answered = new AbortController();
  const { signal } = answered;
  try {
    const answer = once(host, 'message', { signal });
    const end = once(host, 'exit', { signal }).then(([code, name]) => {
      hosts.delete(zone);
      throw new Error(`the process of the commands ended with ${code ?? name}: ${JSON.stringify(commands)}`);
    });
    const [runs] = await Promise.race([answer, end]);
    return runs as CliRun[];
  } finally {
    answered.abort();
    host.unref();
    host.channel?.unref();
  }
}

function startHost(TZ = process.env.TZ): ChildProcess {
  const host = spawn(process.execPath, nodeArgs('test/support/cli-host'), {
    env: environment({ TZ }),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'], // no terminal, where commands would show progress
  });
  host.stderr?.on('data', (text) => process.stderr.write(text)); // a pipe each would be too many listeners
  (host.stderr as Socket | null)?.unref();
  return host;
}

/** Without NODE_TEST_CONTEXT: the child is no test. */
const environment = (more: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_TEST_CONTEXT: '',
  NODE_OPTIONS: '',
  BARLINE_DEBUG: '',
  ...more,
});

function runNode(args: readonly string[], { home, stdin, env, cwd = root }: CliOptions): Promise<CliRun> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: environment({ ...env, BARLINE_HOME: home }),
  });
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on('data', (chunk: Buffer) => output.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.stderr.push(chunk));
  child.stdin.on('error', () => {}); // a command that reads no input may end before it is written
  child.stdin.end(stdin ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8');
      resolve({ code, stdout: text(output.stdout), stderr: text(output.stderr) });
    });
  });
}

/** Bad input: exit code 2, one line on standard error that matches, nothing on standard output. */
export function assertRefused(run: CliRun, pattern: RegExp, label = ''): void {
  assert.equal(run.code, 2, `${label} ${run.stderr}`);
  assert.equal(run.stdout, '', label);
  assert.match(run.stderr, /^barline: [^\r\n]+\n$/, label);
  assert.match(run.stderr, pattern, label);
}

/** The JSON that a command printed; fails unless the command succeeded without a message. */
export function jsonOf(run: CliRun): unknown {
  assert.equal(run.code, 0, run.stderr);
  assert.equal(run.stderr, '');
  return JSON.parse(run.stdout);
}
