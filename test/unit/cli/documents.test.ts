import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import ts from 'typescript';
import { parseStrategy } from '../../../engine/strategy/index.js';
import { runCliBatch } from '../../support/cli.js';
import { blocksOf, type CodeBlock, commandsOf, pages, wordsOf } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { newHome } from '../../support/state.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { command, root } from '../../support/tree.js';

/**
 * What the pages show works: each command runs, each snippet is what it says. The commands of a
 * page run in one process and one home, in the order of the page, beside the files that they name.
 * What needs a network or a fresh checkout is marked in its fence, and
 * test/architecture/links.test.ts counts these.
 */

const blocks = pages.flatMap(blocksOf);
const placeOf = ({ page, line }: CodeBlock): string => `${page}:${line}`;

const HOUR_S = 3_600;
const START_S = Date.UTC(2023, 5, 1) / 1000;

/** Bars of a market that goes up and down, as CSV. */
function barsCsv(count: number, startS = START_S): string {
  const price = (i: number) => 30_000 + 500 * Math.sin(i / 9) + i;
  const rows = Array.from({ length: count }, (_, i) => {
    const [open, close] = [price(i), price(i + 1)];
    return [startS + i * HOUR_S, open, Math.max(open, close) + 9, Math.min(open, close) - 9, close, 10 + (i % 7)].join(
      ',',
    );
  });
  return ['timestamp,open,high,low,close,volume', ...rows].join('\n');
}

const days = Array.from({ length: 60 }, (_, i) => {
  const day = new Date((START_S + i * 24 * HOUR_S) * 1000).toISOString().slice(0, 10);
  return `${day},${(i % 5) / 10}`;
});
const predictions = ['day,prediction', ...days].join('\n');
/** The files of their own that readers of the pages would have. */
const ownFiles = {
  'bars-1h.csv': barsCsv(3.1 * 365 * 24, Date.UTC(2020, 11, 1) / 1000),
  'btc-1h.csv': barsCsv(2_000),
  'sol-1h.csv': barsCsv(2_000),
  'dumps/SOLUSDT-1h-2023-06.csv': barsCsv(2_500),
  'folder/AVAXUSDT-1h.csv': barsCsv(200),
  'folder/LTCUSDT-1h.csv': barsCsv(200),
  'predictions.csv': predictions,
  'scores.csv': predictions,
};

/** A folder like a checkout, with these files. */
async function readersFolder(): Promise<string> {
  const folder = temporaryFolder('reader');
  for (const name of ['examples', 'sample']) await symlink(join(root, name), join(folder, name));
  for (const name of ['dumps', 'folder']) await mkdir(join(folder, name));
  for (const [name, text] of Object.entries(ownFiles)) await writeFile(join(folder, name), text);
  return folder;
}

/** Writes the files that a block writes with `cat`. @returns the rest of the block */
async function withFilesWritten(text: string, folder: string): Promise<string> {
  const written = /^cat > (\S+) <<'(\w+)'\n([\s\S]*?\n)\2$/gm;
  for (const [, name = '', , content = ''] of text.matchAll(written)) await writeFile(join(folder, name), content);
  return text.replaceAll(written, '');
}

const isPlain = (command: string): boolean => /^npx barline [^|<]*$/.test(command);

/** Commands of the program alone, which may write to a file. */
async function runPlain(page: string, commands: readonly string[], folder: string, home: string): Promise<void> {
  const parsed = commands.map((command) => {
    const [, words = '', file] = /^npx barline (.*?)(?:\s+>\s+(\S+))?$/.exec(command) ?? [];
    return { args: wordsOf(words), file };
  });
  // A command may read the file that one before it wrote, so a batch ends at such a file.
  let from = 0;
  for (const [i, { file }] of parsed.entries()) {
    if (file === undefined && i < parsed.length - 1) continue;
    const batch = parsed.slice(from, i + 1);
    const runs = await runCliBatch(
      batch.map(({ args }) => args),
      { home, cwd: folder },
    );
    for (const [j, { code, stderr }] of runs.entries()) {
      assert.equal(code, 0, `${page}: ${commands[from + j]}\n${stderr}`);
    }
    if (file !== undefined) await writeFile(join(folder, file), runs.at(-1)?.stdout ?? '');
    from = i + 1;
  }
}

/** A block with pipes or calls of the service, as a shell runs it. */
async function runInShell(text: string, env: Readonly<Record<string, string>>, folder: string): Promise<void> {
  const head = `set -e -o pipefail
npx() { shift; "${process.execPath}" "${command}" "$@"; }
curl() { command curl -sS --fail-with-body --max-time 8 "$@" || { code=$?; [ $code = 28 ] || return $code; }; }
`;
  const child = spawn('bash', ['-c', head + text], {
    cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: '', ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0, `${text}\n${said}`);
}

let service: Promise<TestService> | null = null;
test.after(async () => (await service)?.stop());

async function serviceEnv(): Promise<{ origin: string; key: string }> {
  service ??= startTestService();
  const { origin, client, login } = await service;
  const { token } = await login();
  const { body } = await client.call('Auth.CreateApiKey', { name: 'pages' }, { authorization: `Bearer ${token}` });
  return { origin, key: body.key };
}

const shellBlocks = blocks.filter(({ language, needs }) => language === 'sh' && needs === null);

for (const page of pages.filter((name) => shellBlocks.some((block) => block.page === name))) {
  test(`every command of ${page} runs`, async () => {
    const folder = await readersFolder();
    const home = await newHome();
    let plain: string[] = [];
    const runWaiting = async () => {
      await runPlain(page, plain, folder, home);
      plain = [];
    };
    for (const block of shellBlocks.filter((one) => one.page === page)) {
      const text = await withFilesWritten(block.text, folder);
      const commands = commandsOf({ ...block, text });
      // A start of a process costs more than most commands do, so a shell runs only what it must.
      const isSplit = commands.every((command) => /^(?:npx barline|curl) /.test(command));
      if (isSplit) plain.push(...commands.filter(isPlain));
      const rest = isSplit ? commands.filter((command) => !isPlain(command)).join('\n') : text;
      if (rest === '') continue;
      await runWaiting();
      const isCall = rest.includes('http://127.0.0.1:5001');
      const { origin = '', key = '' } = isCall ? await serviceEnv() : {};
      const script = rest.replaceAll('http://127.0.0.1:5001', origin);
      await runInShell(script, { BARLINE_HOME: home, KEY: key }, folder);
    }
    await runWaiting();
  });
}

/** A fragment such as `"tpe": {…}` is what stands between the braces of an object. */
const asJson = (text: string): string => (/^\s*"/.test(text) ? `{${text}}` : text);

test('every JSON snippet is JSON, and a strategy in it is one', () => {
  const snippets = blocks.filter(({ language }) => language === 'json');
  assert.ok(snippets.length > 5);
  for (const block of snippets) {
    let value: Record<string, unknown> = {};
    assert.doesNotThrow(() => {
      value = JSON.parse(asJson(block.text)) as Record<string, unknown>;
    }, placeOf(block));
    if ('entry' in value) {
      assert.doesNotThrow(() => parseStrategy(value, 'relaxed', { takesSides: true }), placeOf(block));
    }
    if ('signal_type' in value) {
      const rule = { ...value, signal_type: 'TRIGGER' };
      assert.doesNotThrow(() => parseStrategy({ name: 'x', asset: 'BTC', entry: [rule] }, 'relaxed'), placeOf(block));
    }
  }
});

test('every module of JavaScript loads, and every snippet of TypeScript is well formed', async () => {
  for (const block of blocks.filter(({ language, needs }) => ['js', 'mjs'].includes(language) && needs === null)) {
    if (block.text.includes("from 'barline")) continue; // the library's own tests run these
    await assert.doesNotReject(import(`data:text/javascript,${encodeURIComponent(block.text)}`), placeOf(block));
  }
  for (const block of blocks.filter(({ language }) => ['ts', 'js', 'mjs'].includes(language))) {
    const { diagnostics = [] } = ts.transpileModule(block.text, {
      reportDiagnostics: true,
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    assert.deepEqual(
      diagnostics.map(({ messageText }) => messageText),
      [],
      placeOf(block),
    );
  }
});
