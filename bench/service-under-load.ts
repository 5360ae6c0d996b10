import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../test/support/tree.js';

/**
 * A service in a process of its own, as it is installed: compiled, on the embedded store. Needs
 * `npm run build`.
 */
export interface BenchService {
  readonly origin: string;
  readonly rpcAddress: string;
  /** Null except at the first start on a home. */
  readonly key: string | null;
  /** From the start of the process until it prints that it is ready. */
  readonly startMs: number;
  /** Resident memory now and at its peak, MB. */
  residentMb(): number;
  peakResidentMb(): number;
  stop(): Promise<void>;
}

export const newBenchHome = (): string => mkdtempSync(join(tmpdir(), 'barline-bench-service-'));

export async function startBenchService(
  home: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchService> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [join(root, 'dist/bundle/barline.js'), 'serve'], {
    cwd: root,
    env: {
      ...process.env,
      BARLINE_HOME: home,
      BARLINE_HTTP_PORT: '0',
      BARLINE_RPC_PORT: '0',
      BARLINE_LOG_LEVEL: 'warn',
      BARLINE_RATE_LIMIT_PER_MINUTE: '100000000',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = await firstLines(child, /^ready/);
  const startMs = performance.now() - startedMs;
  return {
    origin: found(said, /^REST +(http\S+)\/api\/v1/),
    rpcAddress: found(said, /^gRPC +(\S+)/),
    key: keyIn(said.join('\n')),
    startMs,
    residentMb: () => memoryMb(child.pid, 'VmRSS'),
    peakResidentMb: () => memoryMb(child.pid, 'VmHWM'),
    stop: () => ended(child),
  };
}

export interface BarePeer {
  readonly origin: string;
  stop(): Promise<void>;
}

/** @param answer what the peer's gRPC method replies */
export async function startBarePeer(answer: object): Promise<BarePeer> {
  const script = join(root, 'bench/bare-service.mjs');
  const child = spawn(process.execPath, [script, JSON.stringify(answer)], { stdio: ['ignore', 'ignore', 'pipe'] });
  return { origin: found(await firstLines(child, /^bare /), /^bare (\S+)/), stop: () => ended(child) };
}

async function firstLines(child: ChildProcess, last: RegExp): Promise<string[]> {
  const said: string[] = [];
  if (child.stderr === null) throw new Error('the process has no standard error');
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (last.test(line)) break;
  }
  child.stderr.resume();
  return said;
}

function found(lines: readonly string[], pattern: RegExp): string {
  for (const line of lines) {
    const match = pattern.exec(line);
    if (match) return match[1];
  }
  throw new Error(`the process did not start: ${lines.join('\n')}`);
}

function memoryMb(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const kib = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}

async function ended(child: ChildProcess): Promise<void> {
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}

/** The first key, which lies in a file where stderr is no terminal. */
function keyIn(said: string): string | null {
  const file = /^key +in (.*): move/m.exec(said)?.[1];
  return file === undefined ? null : readFileSync(file, 'utf8').trim();
}
