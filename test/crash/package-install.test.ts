import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { promisify } from 'node:util';
import ts from 'typescript';
import { soak } from '../support/scale.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { root } from '../support/tree.js';

/**
 * The package as npm packs it, installed in an empty project, with and without optional packages.
 */

const run = promisify(execFile);
const folder = temporaryFolder('package');

interface Failed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let packing: Promise<Packed> | undefined;
const packed = (): Promise<Packed> => {
  packing ??= pack();
  return packing;
};
async function pack(): Promise<Packed> {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
  await run('npm', ['run', 'build:types'], options); // the script before packing; its words are no JSON
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], options);
  return (JSON.parse(stdout) as [Packed])[0];
}
const tarball = async (): Promise<string> => join(folder, (await packed()).filename);

test('the package carries what runs: no maps, no build information, no tests', async () => {
  const paths = (await packed()).files.map(({ path }) => path);
  assert.ok(paths.includes('dist/bundle/index.js') && paths.includes('dist/library/index.d.ts'));
  assert.ok(paths.includes('prompts/assistant/read.md'));
  assert.deepEqual(
    paths.filter((path) => /\.map$|tsbuildinfo|^dist\/test\//.test(path)),
    [],
  );
});

const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|ENETUNREACH|E40[34]|network/;

/** An empty project with the package; null, and the test skipped, where there is no registry. */
async function install(t: TestContext, name: string, flags: readonly string[]): Promise<string | null> {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...flags, await tarball()];
  try {
    await run('npm', args, { cwd: project, maxBuffer: 64 * 1024 * 1024 });
    return project;
  } catch (error) {
    const { stderr } = error as Failed;
    if (!offline.test(stderr)) throw error;
    t.skip(`npm reaches no registry and its cache lacks a package: ${stderr.split('\n')[0]}`);
    return null;
  }
}

/** What `du -sm` shows, in MB. */
function megabytes(path: string): number {
  const bytesOf = (at: string): number => {
    const { blocks } = lstatSync(at);
    const inside = lstatSync(at).isDirectory() ? readdirSync(at).map((name) => bytesOf(join(at, name))) : [];
    return inside.reduce((sum, bytes) => sum + bytes, blocks * 512);
  };
  return bytesOf(path) / 1024 / 1024;
}

const inProject = (project: string, args: readonly string[]): Promise<Failed> =>
  run(process.execPath, args, { cwd: project, env: { ...process.env, BARLINE_HOME: join(project, 'home') } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Failed) => error,
  );

const command = (project: string, ...args: readonly string[]) =>
  inProject(project, ['node_modules/barline/dist/bundle/barline.js', ...args]);

const examples = readdirSync(join(root, 'examples/library')).filter((name) => /\.(ts|mjs)$/.test(name));

/** The examples as a user would copy them, and as JavaScript that runs. */
function copyExamples(project: string): void {
  for (const name of examples) {
    copyFileSync(join(root, 'examples/library', name), join(project, name));
    if (!name.endsWith('.ts')) continue;
    const text = readFileSync(join(project, name), 'utf8');
    const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    writeFileSync(join(project, name.replace(/\.ts$/, '.js')), ts.transpile(text, options));
  }
  const compilerOptions = {
    ...{ target: 'ES2023', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: true },
    ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')], lib: ['ES2023'] },
  };
  const files = examples.filter((name) => name.endsWith('.ts'));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
}

/** A program that uses the clients, and settings that check the declarations of what it imports. */
function writeStrictClient(project: string): void {
  const program = `import { connectGrpc, createRestClient, type GrpcReply, type paths } from 'barline/client';
    const rest = createRestClient({ key: 'local_x' });
    export const listed = (await rest.GET('/api/v1/strategies')).data?.strategies.length;
    export const run = async (): Promise<GrpcReply<'Backtests.Run'>> =>
      (await connectGrpc()).call('Backtests.Run', { asset: 'BTC', interval: '1h', lookback_months: 1 });
    export type Known = keyof paths;`;
  writeFileSync(join(project, 'strict-client.mts'), program);
  const compilerOptions = {
    ...{ target: 'ES2023', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: false },
    ...{ types: [], lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] },
  };
  writeFileSync(join(project, 'strict.json'), JSON.stringify({ compilerOptions, files: ['strict-client.mts'] }));
}

const LIGHT_MB_MAX = 60;

test('without optional packages the engine is light, and what needs a package names it', async (t) => {
  const project = await install(t, 'light', ['--omit=optional']);
  if (project === null) return;
  const size = megabytes(join(project, 'node_modules'));
  t.diagnostic(`node_modules without optional packages: ${size.toFixed(1)} MB`);
  assert.ok(size < LIGHT_MB_MAX, `${size} MB`);
  const parquet = join(root, 'sample', readdirSync(join(root, 'sample')).find((name) => name.startsWith('BTC-1d'))!);
  const program = `
    import { loadBars, rsi, runBacktest, startLive } from 'barline';
    import { createRestClient } from 'barline/client';
    import { renderTearSheet } from 'barline/report';
    const close = Array.from({ length: 400 }, (_, i) => 100 + 10 * Math.sin(i / 9) + i / 50);
    const columns = { time: close.map((_, i) => Date.UTC(2024, 0, 1) + i * 3_600_000), open: close, close,
      high: close.map((x) => x + 1), low: close.map((x) => x - 1), volume: close.map(() => 1) };
    const bars = await loadBars({ columns });
    const strategy = { entry: [{ name: 'rsi_cross_up', signal_type: 'TRIGGER' }] };
    const run = await runBacktest({ strategy, bars, config: { fee_pct: 0 } });
    const { is_clean } = await run.audit();
    startLive({ strategy, history: bars });
    createRestClient();
    const held = await loadBars({ asset: 'BTC', interval: '1d', start: '2024-01-01', end: '2024-01-31' });
    const file = await loadBars({ file: ${JSON.stringify(parquet)} }).catch((error) => error.message);
    const grpc = await (await import('barline/client')).connectGrpc().catch((error) => error.message);
    const engine = await import('barline/dist/engine/sweep/index.js').catch((error) => error.code);
    console.log(JSON.stringify([rsi(close, 14).length, run.trades.length > 0, is_clean,
      renderTearSheet(run.sheet()).length > 10_000, held.barCount, file, grpc, engine]));`;
  writeFileSync(join(project, 'program.js'), program);
  const { stdout, stderr } = await inProject(project, ['program.js']);
  assert.equal(stderr, '');
  const [length, hasTraded, isClean, hasPage, held, file, grpc, engine] = JSON.parse(stdout) as unknown[];
  assert.deepEqual([length, hasTraded, isClean, hasPage, held], [400, true, true, true, 31]);
  const named = /needs the package \S+, which is not installed: npm install \S+@\d\S* brings it/;
  assert.match(String(file), /the package @duckdb\/node-api, which is not installed: npm install @duckdb\/node-api@/);
  assert.match(String(grpc), named);
  assert.equal(engine, 'ERR_PACKAGE_PATH_NOT_EXPORTED');
  const entry = [{ name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: null, params: {} }];
  writeFileSync(join(project, 'x.json'), JSON.stringify({ entry }));
  const ran = await command(project, 'backtest', '--strategy', 'x.json', '--interval', '1d', '--asset', 'BTC');
  assert.equal(ran.code, 0, ran.stderr);
  for (const name of ['serve', 'demo', 'key']) {
    const failed = await command(project, name);
    assert.equal(failed.code, 2, failed.stderr);
    assert.match(failed.stderr, named);
  }
  const help = await command(project, '--help');
  assert.match(help.stdout, /backtest \[options\]/);
});

test('the whole package runs three examples with types, and the demo', {
  skip: soak ? false : 'a soak installs all of it',
}, async (t) => {
  const project = await install(t, 'whole', []);
  if (project === null) return;
  t.diagnostic(`node_modules with all packages: ${megabytes(join(project, 'node_modules')).toFixed(1)} MB`);
  copyExamples(project);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const checked = await inProject(project, [tsc, '-p', '.']);
  assert.equal(checked.stdout, '');
  writeStrictClient(project);
  const strict = await inProject(project, [tsc, '-p', 'strict.json']);
  assert.equal(strict.stdout, '', 'the declarations of the clients stand on their own');
  const said = { backtest: /no look-ahead/, live: /account value/, sweep: /36 of 36 runs/ };
  for (const [name, expected] of Object.entries(said)) {
    const { stdout, stderr } = await inProject(project, [`${name}.js`]);
    assert.match(stdout, expected, stderr);
  }

  const demo = await command(project, 'demo');
  assert.equal(demo.code, 0, demo.stderr);
});
