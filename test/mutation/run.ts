/**
 * `npm run mutation` plants one fault at a time in a copy of the engine and counts how many the tests notice.
 * `npm run mutation -- cooldown sizing` looks only at the files whose path contains one of the words;
 * `--jobs 1` plants one fault at a time instead of one per processor.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { type Fault, faultsOf } from './faults.js';

const root = resolve(import.meta.dirname, '../..');
const SHARE_MIN = 0.85;

/** The first area that knows a file has it. */
const areas: readonly { readonly name: string; readonly files: RegExp; readonly firstTests: string }[] = [
  { name: 'sizing', files: /^engine\/execution\/(formulas|sizing|volatility)\.ts$/, firstTests: 'execution' },
  { name: 'cooldown', files: /^engine\/execution\/cooldown(-config)?\.ts$/, firstTests: 'execution' },
  { name: 'execution', files: /^engine\/execution\//, firstTests: 'execution' },
  { name: 'metrics', files: /^engine\/metrics\//, firstTests: 'metrics' },
];
const areaOf = (file: string) => areas.find(({ files }) => files.test(file))!;

/** A fault that outlives the first folder meets the second. */
const testFolders = ['test/unit', 'test/property'];

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
  const target = join(folder, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, outputText);
}

/** Stops at the first failure. */
const reporter = `export default async function* (events) {
  for await (const { type } of events) if (type === 'test:fail') process.exit(1);
}`;

const testsIn = (folder: string): string[] =>
  listFiles(folder, '.test.ts').filter((file) => /\/(execution|metrics)[^/]*$/.test(file));

/** A slow one that asks of a metric only that it is finite. */
const isBlindTo = (area: string, file: string): boolean =>
  area === 'metrics' && file === 'test/property/execution.test.ts';

/** A program that runs the tests of a folder in one process, those of the area first; properties with a fixed seed, not shrunk. */
function testProgram(folder: string, firstTests: string): string {
  const rank = (file: string) => (file.includes(`/${firstTests}`) ? 0 : 1);
  const imports = testsIn(folder)
    .filter((file) => !isBlindTo(firstTests, file))
    .sort((a, b) => rank(a) - rank(b))
    .map((file) => `await import('./${file.replace(/\.ts$/, '.js')}');`);
  return [`import fc from 'fast-check';`, 'fc.configureGlobal({ seed: 1, endOnFailure: true });', ...imports].join(
    '\n',
  );
}

const programName = (folder: string, firstTests: string): string => `${folder.replace('/', '-')}-${firstTests}.mjs`;

/** A copy of the engine and of the tests as JavaScript, so that a test run need not compile. */
function layOut(folder: string): void {
  for (const part of ['engine', ...testFolders, 'test/support', 'test/reference']) {
    for (const file of listFiles(part, '.ts')) emit(folder, file, read(file));
  }
  cpSync(join(root, 'test/golden'), join(folder, 'test/golden'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'reporter.mjs'), reporter);
  for (const tests of testFolders) {
    for (const { firstTests } of areas) {
      writeFileSync(join(folder, programName(tests, firstTests)), testProgram(tests, firstTests));
    }
  }
}

const running = new Set<ChildProcess>();

/** What became of the tests; slow ones were stopped after `limitMs`. */
type Outcome = 'passed' | 'failed' | 'slow';

function runTests(folder: string, program: string, limitMs: number): Promise<Outcome> {
  return new Promise((done, fail) => {
    const args = ['--max-old-space-size=1024', '--test-reporter=./reporter.mjs', program];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
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

/** Time limits per folder of tests; refuses to start where the tests fail without a fault. */
async function limitsOf(folder: string): Promise<number[]> {
  const limits: number[] = [];
  for (const tests of testFolders) {
    const start = performance.now();
    if ((await runTests(folder, programName(tests, areas[0].firstTests), 300_000)) !== 'passed') {
      throw new Error(`the tests of ${tests} fail without a fault`);
    }
    limits.push(3_000 + 4 * (performance.now() - start));
  }
  return limits;
}

async function tryFault(folder: string, fault: Fault, limits: readonly number[]): Promise<Outcome> {
  const { file, start, end, text } = fault;
  const content = read(file);
  emit(folder, file, content.slice(0, start) + text + content.slice(end));
  try {
    const { firstTests } = areaOf(file);
    for (let i = 0; i < testFolders.length; i++) {
      const outcome = await runTests(folder, programName(testFolders[i], firstTests), limits[i]);
      if (outcome !== 'passed') return outcome;
    }
    return 'passed';
  } finally {
    emit(folder, file, content);
  }
}

const shorten = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100);
const describe = ({ file, place, original, text }: Fault): string =>
  `${file}:${place}  ${shorten(original)}  ->  ${shorten(text)}`;
const labels = { passed: 'survived', slow: 'timed out' };
const percent = (killed: number, all: number): string => `${((100 * killed) / all).toFixed(1)} %`;

async function main(words: readonly string[], jobs: number): Promise<void> {
  if (!(jobs >= 1)) throw new Error('--jobs must be at least 1');
  const files = ['engine/execution', 'engine/metrics'].flatMap((folder) => listFiles(folder, '.ts'));
  const isChosen = (file: string) => words.length === 0 || words.some((word) => file.includes(word));
  const faults = files.filter(isChosen).flatMap((file) => faultsOf(file, read(file)));
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
  const limits = await limitsOf(folders[0]);
  console.log(`${faults.length} faults, ${folders.length} at a time`);

  const survivors = new Set<Fault>();
  let slow = 0;
  let next = 0;
  await Promise.all(
    folders.map(async (folder) => {
      while (next < faults.length) {
        const fault = faults[next++];
        const outcome = await tryFault(folder, fault, limits);
        if (outcome === 'passed') survivors.add(fault);
        if (outcome === 'slow') slow++;
        if (outcome !== 'failed') console.log(`${labels[outcome]} ${describe(fault)}`);
        if (next % 100 === 0) console.log(`${next} of ${faults.length}`);
      }
    }),
  );

  console.log(`${slow} of the killed timed out`);
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

const { values, positionals } = parseArgs({ allowPositionals: true, options: { jobs: { type: 'string' } } });
await main(positionals, Number(values.jobs ?? availableParallelism()));
