/**
 * `npm run mutation` plants one fault at a time in a copy of the engine and counts how many the
 * tests notice.
 * `npm run mutation -- cooldown sizing` looks only at the files whose path contains one of the
 * words; `sizing.ts:24:15` names one place;
 * `--sample 200` tries that many faults of each area, drawn with `--seed` (default 1);
 * `--jobs 1` plants one fault at a time instead of one per processor. See docs/testing.md.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { seededRandom } from '../support/random.js';
import { type Fault, faultsOf } from './faults.js';

const root = resolve(import.meta.dirname, '../..');
const SHARE_MIN = 0.85;

interface Area {
  readonly name: string;
  readonly files: RegExp;
  readonly tests: RegExp;
  /** Prefixes of the names of its tests. */
  readonly firstTests: string;
}

const ofRuns = /\/((execution|metrics)[-./]|simulate-sides)/;

/** A file belongs to the first area that lists it. */
const areas: readonly Area[] = [
  {
    name: 'sizing',
    files: /^engine\/(formulas\/prices-and-sizes|execution\/(sizing|volatility))\.ts$/,
    tests: ofRuns,
    firstTests: 'execution',
  },
  {
    name: 'cooldown',
    files: /^engine\/(execution|formulas)\/cooldown[^/]*\.ts$/,
    tests: ofRuns,
    firstTests: 'execution',
  },
  {
    name: 'execution',
    files: /^engine\/(execution|formulas\/(gates|exit-rules))\b/,
    tests: ofRuns,
    firstTests: 'execution',
  },
  { name: 'metrics', files: /^engine\/(metrics|formulas)\//, tests: ofRuns, firstTests: 'metrics' },
  {
    name: 'sweep',
    files: /^engine\/sweep\//,
    // Those of pages of sweeps start commands, which are not laid out.
    tests:
      /\/engine\/sweep\/|\/research\/sweep\/(?!report)|\/(sweep-(kernel|plan|settings|tpe|walk-forward)|execution-fused|statistics-verdict)\.test\.ts$/,
    firstTests: 'sweep',
  },
  {
    name: 'WebAssembly run',
    files: /^engine\/simd\//,
    tests: /\/execution-fused(-sides)?\.test\.ts$/,
    firstTests: 'execution-fused',
  },
];
/** Folders and files in which faults are planted. */
const planted = ['engine/formulas', 'engine/execution', 'engine/metrics', 'engine/sweep'];
/** The runs of a sweep; the other kernels are compared with plain loops. */
const assembly = [
  ...['run.ts', 'account.ts', 'position-exits.ts', 'orders.ts', 'closes.ts'],
  ...['curve.ts', 'losses.ts', 'run-memory.ts'],
].map((file) => `engine/simd/assembly/${file}`);
const areaOf = (file: string) => areas.find(({ files }) => files.test(file))!;

/** A fault that survives the tests of one folder meets those of the next. */
const testFolders = ['test/unit/engine', 'test/unit/research', 'test/property'];
/** What the tests run, beside themselves. */
const rooms = ['engine', 'data', 'workers', 'research', 'report'];
/** What they read. */
const assets = ['engine/simd/assembly', 'test/golden', 'sample', 'examples'];

const listFiles = (folder: string, ends: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ends))
    .map((file) => join(folder, file))
    .sort();

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

function emit(folder: string, file: string, content: string): void {
  const { outputText } = ts.transpileModule(content, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  });
  const target = join(folder, 'dist', file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, outputText);
}

/** Stops at the first failure. */
const reporter = `export default async function* (events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    console.error(data.name, data.details.error);
    process.exit(1);
  }
}`;

/** Slow, and asks of a metric only that it is finite. */
const isBlindTo = ({ name }: Area, file: string): boolean =>
  name === 'metrics' && file === 'test/property/execution.test.ts';

const testsOf = (folder: string, area: Area): string[] =>
  listFiles(folder, '.test.ts').filter((file) => area.tests.test(file) && !isBlindTo(area, file));

/**
 * A program that runs the tests of a folder in one process, those of the area first. Properties
 * have a fixed seed and are not shrunk.
 */
function testProgram(folder: string, area: Area): string {
  const rank = (file: string) => (file.includes(`/${area.firstTests}`) ? 0 : 1);
  const imports = testsOf(folder, area)
    .sort((a, b) => rank(a) - rank(b))
    .map((file) => `await import('./dist/${file.replace(/\.ts$/, '.js')}');`);
  return [`import fc from 'fast-check';`, 'fc.configureGlobal({ seed: 1, endOnFailure: true });', ...imports].join(
    '\n',
  );
}

const programName = (folder: string, { name }: Area): string => `${folder} ${name}.mjs`.replace(/[ /]/g, '-');

/** The programs that a fault of the area meets, in their order. */
const programs = (area: Area): string[] =>
  testFolders.filter((folder) => testsOf(folder, area).length > 0).map((folder) => programName(folder, area));

/**
 * A copy of the package with engine and tests as JavaScript below `dist`, where some tests look for
 * it, so that a test run need not compile.
 */
function layOut(folder: string): void {
  for (const part of [...rooms, ...testFolders, 'test/support', 'test/reference']) {
    for (const file of listFiles(part, '.ts')) if (!assembly.includes(file)) emit(folder, file, read(file));
  }
  for (const path of assets) cpSync(join(root, path), join(folder, path), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'reporter.mjs'), reporter);
  for (const tests of testFolders) {
    for (const area of areas) writeFileSync(join(folder, programName(tests, area)), testProgram(tests, area));
  }
}

const running = new Set<ChildProcess>();

/**
 * The outcome of the tests; a run longer than `limitMs` is stopped. A fault may also keep the
 * kernels from compiling.
 */
type Outcome = 'passed' | 'failed' | 'slow' | 'not compiled';

function runTests(
  folder: string,
  program: string,
  limitMs: number,
  said: 'ignore' | 'inherit' = 'ignore',
): Promise<Outcome> {
  return new Promise((done, fail) => {
    const args = ['--max-old-space-size=1024', '--test-reporter=./reporter.mjs', program];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', said] });
    running.add(child);
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      child.kill('SIGKILL');
    }, limitMs);
    child.on('error', fail);
    child.on('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      done(isSlow ? 'slow' : code === 0 ? 'passed' : 'failed');
    });
  });
}

/** Milliseconds that each test program may take. */
type Limits = ReadonlyMap<string, number>;

/** Refuses to start where the tests fail without a fault. */
async function limitsOf(folder: string, chosen: ReadonlySet<Area>): Promise<Limits> {
  const limits = new Map<string, number>();
  for (const program of [...chosen].flatMap(programs)) {
    const start = performance.now();
    if ((await runTests(folder, program, 600_000, 'inherit')) !== 'passed')
      throw new Error(`${program} fails without a fault`);
    limits.set(program, 3_000 + 4 * (performance.now() - start));
  }
  return limits;
}

type CompileKernels = (texts?: Readonly<Record<string, string>>) => Promise<{ text: string; sources: string[] }>;
const { compileKernels } = (await import(pathToFileURL(join(root, 'scripts/compile-kernels.mjs')).href)) as {
  readonly compileKernels: CompileKernels;
};
const BINARY = 'engine/simd/binary.ts';
/** The sources of the kernels. Some are TypeScript as well, and then both sides have the fault. */
const kernelSources: ReadonlySet<string> = new Set((await compileKernels()).sources);

async function tryFault(folder: string, fault: Fault, limits: Limits): Promise<Outcome> {
  const { file, start, end, text } = fault;
  const content = read(file);
  const faulty = content.slice(0, start) + text + content.slice(end);
  try {
    if (!assembly.includes(file)) emit(folder, file, faulty);
    if (kernelSources.has(file)) emit(folder, BINARY, (await compileKernels({ [file]: faulty })).text);
    for (const program of programs(areaOf(file))) {
      // Every chosen area has its limits.
      const outcome = await runTests(folder, program, limits.get(program)!);
      if (outcome !== 'passed') return outcome;
    }
    return 'passed';
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('the kernels do not compile')) return 'not compiled';
    throw error;
  } finally {
    if (!assembly.includes(file)) emit(folder, file, content);
    if (kernelSources.has(file)) emit(folder, BINARY, read(BINARY));
  }
}

/** At most this many faults of each area, in the order of their files. */
function sampleOf(faults: readonly Fault[], count: number, seed: number): Fault[] {
  const random = seededRandom(seed);
  const ranked = faults.map((fault) => ({ fault, rank: random() })).sort((a, b) => a.rank - b.rank);
  const taken = new Map<Area, number>();
  const drawn = new Set<Fault>();
  for (const { fault } of ranked) {
    const area = areaOf(fault.file);
    const before = taken.get(area) ?? 0;
    if (before === count) continue;
    taken.set(area, before + 1);
    drawn.add(fault);
  }
  return faults.filter((fault) => drawn.has(fault));
}

const shorten = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100);
const describe = ({ file, place, original, text }: Fault): string =>
  `${file}:${place}  ${shorten(original)}  ->  ${shorten(text)}`;
const labels = { passed: 'survived', slow: 'timed out', 'not compiled': 'not compiled' };
const percent = (killed: number, all: number): string => `${((100 * killed) / all).toFixed(1)} %`;

async function main(words: readonly string[], jobs: number, sample: number, seed: number): Promise<void> {
  if (!(jobs >= 1)) throw new Error('--jobs must be at least 1');
  const files = [...planted.flatMap((folder) => listFiles(folder, '.ts')), ...assembly];
  const isChosen = ({ file, place }: Fault) =>
    words.length === 0 || words.some((word) => `${file}:${place}:`.includes(word));
  const all = files.flatMap((file) => faultsOf(file, read(file))).filter(isChosen);
  let faults = sampleOf(all, sample, seed);
  if (faults.length === 0) throw new Error(`no file with a fault to plant is called ${words.join(' or ')}`);

  const scratch = mkdtempSync(join(tmpdir(), 'barline-mutation-'));
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  });
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));

  const folders = Array.from({ length: jobs }, (_, k) => join(scratch, String(k)));
  for (const folder of folders) layOut(folder);
  const limits = await limitsOf(folders[0], new Set(faults.map(({ file }) => areaOf(file))));
  console.log(`${faults.length} faults of ${all.length}, ${folders.length} at a time`);

  const survivors = new Set<Fault>();
  const unusable = new Set<Fault>();
  let slow = 0;
  let next = 0;
  await Promise.all(
    folders.map(async (folder) => {
      while (next < faults.length) {
        const fault = faults[next++];
        const outcome = await tryFault(folder, fault, limits);
        if (outcome === 'passed') survivors.add(fault);
        if (outcome === 'not compiled') unusable.add(fault);
        if (outcome === 'slow') slow++;
        if (outcome !== 'failed') console.log(`${labels[outcome]} ${describe(fault)}`);
        if (next % 100 === 0) console.log(`${next} of ${faults.length}`);
      }
    }),
  );

  faults = faults.filter((fault) => !unusable.has(fault));
  console.log(`${slow} of the killed timed out, ${unusable.size} faults do not compile and do not count`);
  const score = (label: string, isIn: (fault: Fault) => boolean): boolean => {
    const all = faults.filter(isIn);
    if (all.length === 0) return true;
    const killed = all.filter((fault) => !survivors.has(fault)).length;
    console.log(`${label.padEnd(42)} ${killed} of ${all.length}, ${percent(killed, all.length)}`);
    return killed / all.length >= SHARE_MIN;
  };
  for (const file of files) score(file, (fault) => fault.file === file);
  const isGood = areas.map(({ name }) => score(name, ({ file }) => areaOf(file).name === name));
  if (isGood.includes(false)) process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: 'string' }, sample: { type: 'string' }, seed: { type: 'string' } },
});
const { jobs = availableParallelism(), sample = Infinity, seed = 1 } = values;
await main(positionals, Number(jobs), Number(sample), Number(seed));
