import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder.js';
import { root } from '../support/tree.js';

/**
 * One place that an addition changes: a new file, a text after another one, or a text that replaces
 * another one.
 */
export type Edit =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly after: string; readonly text: string }
  | { readonly file: string; readonly from: string; readonly to: string };

interface Finished {
  readonly isGreen: boolean;
  readonly output: string;
}

/** The files of a copy that differ from the tree, sorted, without those that a build writes. */
interface Changes {
  /** Files written by hand: the places of an addition. */
  readonly places: readonly string[];
  /** Pages of docs/reference, which `npm run reference` wrote. */
  readonly pages: readonly string[];
}

/** A copy of the sources, in which a test follows the recipes of CONTRIBUTING. */
export interface TreeCopy {
  readonly path: string;
  /** @throws Error where a file has no such place, or more than one */
  apply(edits: readonly Edit[]): void;
  changes(): Changes;
  /** Does `npm run reference`, which transpiles first. @throws Error with the output of a failure */
  writeReference(): Promise<void>;
  /** Builds what users and tests run, from what has changed. @throws Error with the output */
  build(): Promise<void>;
  /** The compiler's errors for a project; empty where it compiles. */
  compile(project: string): Promise<string[]>;
  /**
   * Builds, then runs files of tests, named from `test/` and without their ending.
   * @returns the output; @throws Error with it where a test fails
   */
  test(...names: readonly string[]): Promise<string>;
  /** Runs a module from its text, and parses the JSON that it prints. */
  evaluate(text: string): Promise<unknown>;
  /** Runs `node` in the folder. @returns its standard output; @throws Error with its output */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
}

/** Not sources: installed, built, or large and never changed. */
const linked = ['node_modules', 'sample'];
const left = [...linked, 'dist', '.git', '.barline', 'coverage'];
const compiler = 'node_modules/typescript-native/bin/tsc';
const execute = promisify(execFile);

const whole = { recursive: true, preserveTimestamps: true };

/** The copy is deleted when the process ends. */
export function copyTree(): TreeCopy {
  const path = temporaryFolder('tree');
  for (const name of readdirSync(root)) {
    if (!left.includes(name)) cpSync(join(root, name), join(path, name), whole);
  }
  for (const name of linked) symlinkSync(join(root, name), join(path, name));
  // Builds and the compiler go on from what they made of the tree.
  cpSync(join(root, 'dist'), join(path, 'dist'), whole);
  const attempt = (
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    program = process.execPath,
  ): Promise<Finished> => {
    // With the first, a test run inside a test run runs nothing; with the second, all that a soak runs.
    const { NODE_TEST_CONTEXT: _, BARLINE_SOAK: __, ...ours } = process.env;
    const options = { cwd: path, env: { ...ours, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return execute(program, args, options).then(
      ({ stdout }) => ({ isGreen: true, output: stdout }),
      ({ stdout, stderr }) => ({ isGreen: false, output: `${stdout}${stderr}` }),
    );
  };
  const must = (what: string, { isGreen, output }: Finished): string => {
    if (!isGreen) throw new Error(`${what}:\n${output}`);
    return output;
  };
  const run: TreeCopy['run'] = async (args, env) => must(args.join(' '), await attempt(args, env));
  const build = async (): Promise<void> => {
    await run(['scripts/build.mjs', 'pages', 'contract', 'modules', 'bundle']);
  };
  return {
    path,
    apply(edits) {
      for (const edit of edits) apply(join(path, edit.file), edit);
    },
    changes() {
      const changed = filesIn(path).filter((file) => !isBuilt(file) && differs(join(root, file), join(path, file)));
      const isPage = (file: string) =>
        file.startsWith('docs/reference/') || file.endsWith('/settings.proto') || file === 'docs/formulas.md';
      return { places: changed.filter((file) => !isPage(file)), pages: changed.filter(isPage) };
    },
    async writeReference() {
      must('npm run reference', await attempt(['run', 'reference'], {}, 'npm'));
    },
    async compile(project) {
      await run(['scripts/build.mjs', 'kernels', 'pages', 'signals', 'indicators', 'contract', 'client']);
      const { output } = await attempt([compiler, '-b', project]);
      return output.split(/\n(?=\S)/).filter((error) => / error TS\d+: /.test(error));
    },
    build,
    async test(...names) {
      const files = names.map((name) => `test/${name}.test.ts`);
      for (const file of files) assert.ok(existsSync(join(path, file)), `${file} has moved`);
      await build();
      return run(['scripts/run-tests.mjs', '--tap', ...files]);
    },
    async evaluate(text) {
      const file = join(path, 'evaluated.ts');
      writeFileSync(file, text);
      const printed = await run(['--import', 'tsx', file]).finally(() => rmSync(file));
      return JSON.parse(printed);
    },
    run,
  };
}

/** Every file of a folder of sources, from there, sorted. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !left.includes(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return [entry.name];
      return readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((inner) => inner.isFile())
        .map((inner) => relative(folder, join(inner.parentPath, inner.name)));
    })
    .sort();

/** Files and folders in rooms that the build writes: those that .gitignore names from the root. */
const built = readFileSync(join(root, '.gitignore'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('/') && !line.includes('*'))
  .map((line) => line.slice(1));
const isBuilt = (file: string): boolean => built.some((name) => file.startsWith(name));

const differs = (before: string, after: string): boolean =>
  !existsSync(before) || !readFileSync(before).equals(readFileSync(after));

function apply(path: string, edit: Edit): void {
  if (!('after' in edit || 'from' in edit)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, edit.text, { flag: 'wx' });
    return;
  }
  const [from, to] = 'from' in edit ? [edit.from, edit.to] : [edit.after, edit.after + edit.text];
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${edit.file} has ${parts.length - 1} times: ${from}`);
  writeFileSync(path, parts.join(to));
}
