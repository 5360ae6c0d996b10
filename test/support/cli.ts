import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { loaderArgs, moduleUrl, nodeArgs, root } from './tree.js';

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
  runNode(nodeArgs('cli/main', ...args), options);

/**
 * Runs several commands in one process, one after the other, each with a fresh start of the
 * program. A process start costs more than most commands do. `runCli` is for what only a real
 * process shows: exit codes, pipes, standard input.
 */
export async function runCliBatch(commands: readonly (readonly string[])[], options: CliOptions): Promise<CliRun[]> {
  const { code, stdout, stderr } = await runNode(
    [...loaderArgs, '--input-type=module', '-e', batchScript, moduleUrl('cli/main').href],
    {
      ...options,
      stdin: JSON.stringify(commands),
    },
  );
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as CliRun[];
}

const batchScript = `
import { readFileSync } from 'node:fs';
const [main] = process.argv.slice(1);
const commands = JSON.parse(readFileSync(0, 'utf8'));
const runs = [];
const streams = { stdout: process.stdout, stderr: process.stderr };
const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
process.stdout.setMaxListeners(0); // each start of the program adds one
process.execArgv = []; // commander reads a script given with -e differently
for (const [i, args] of commands.entries()) {
  const run = { code: 0, stdout: '', stderr: '' };
  for (const [name, stream] of Object.entries(streams)) {
    stream.write = (chunk) => { run[name] += chunk; return true; };
  }
  process.argv = [process.execPath, 'barline', ...args];
  process.exitCode = 0;
  await import(main + '?run=' + i);
  run.code = process.exitCode ?? 0;
  for (const [name, stream] of Object.entries(streams)) stream.write = writes[name];
  runs.push(run);
}
process.exitCode = 0;
process.stdout.write(JSON.stringify(runs));
`;

function runNode(args: readonly string[], { home, stdin, env, cwd = root }: CliOptions): Promise<CliRun> {
  const child = spawn(process.execPath, args, {
    cwd,
    // Without NODE_TEST_CONTEXT: the child is no test.
    env: { ...process.env, NODE_TEST_CONTEXT: '', NODE_OPTIONS: '', BARLINE_DEBUG: '', ...env, BARLINE_HOME: home },
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
