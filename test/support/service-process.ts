import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { commandArgs, root } from './tree.js';

/** A real `barline serve` or `barline dev` in a process of its own. */
export interface ServiceProcess {
  /** Empty where the process serves no REST. */
  readonly origin: string;
  /** An API key, where the start made the first one. */
  readonly firstKey: string | null;
  /** The lines that it printed at its start. */
  readonly said: readonly string[];
  /** The lines of its log; none unless a setting asks for a level. */
  readonly logged: readonly string[];
  readonly pid: number;
  isRunning(): boolean;
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  terminate(): Promise<number | null>;
}

/**
 * @param program what `node` runs; by default the command of this tree
 * @throws Error with the output of the process when it ended instead of starting
 */
export async function startServiceProcess(
  home: string,
  settings: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
  command: 'serve' | 'dev' = 'serve',
  program: readonly string[] = commandArgs(),
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...program, command, ...args], {
    cwd: root,
    env: {
      ...process.env,
      BARLINE_HOME: home,
      BARLINE_HTTP_PORT: '0',
      BARLINE_RPC_PORT: '0',
      BARLINE_LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const logged: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => logged.push(line));
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  const said: string[] = [];
  let origin: string | null = null;
  let firstKey: string | null = null;
  let isUp = false;
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    origin ??= /^REST +(http\S+)\/api\/v1/.exec(line)?.[1] ?? null;
    const [, file] = /^key +in (.*): move/.exec(line) ?? []; // stderr is no terminal here
    firstKey ??= file === undefined ? (/^key +(\S+)/.exec(line)?.[1] ?? null) : readFileSync(file, 'utf8').trim();
    isUp = /^ready/.test(line);
    if (isUp) break;
  }
  if (!isUp) throw new Error(said.join('\n'));
  child.stderr.resume();
  return {
    origin: origin ?? '',
    firstKey,
    said,
    logged,
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: () => signalled(child, 'SIGKILL', ended),
    terminate,
  };

  async function terminate(): Promise<number | null> {
    child.kill('SIGTERM');
    return ended;
  }
}

async function signalled(child: ChildProcess, signal: NodeJS.Signals, ended: Promise<unknown>): Promise<void> {
  child.kill(signal); // a process that has ended already sends no more events, and needs none
  await ended;
}
