import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.js';
import { root } from './tree.js';

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

/** A copy of the sources, in which a test follows the recipes of CONTRIBUTING. */
export interface TreeCopy {
  readonly path: string;
  /**
   * @returns the number of files changed; @throws Error where a file has no such place, or more
   * than one
   */
  apply(edits: readonly Edit[]): number;
  /**
   * Writes the generated sources and compiles all but the tests. @throws Error with the output of
   * the compiler
   */
  build(): Promise<void>;
  /** The compiler's errors for a project; empty where it compiles. */
  compile(project: string): Promise<string[]>;
  /** Runs test files from their sources, after any options of `node --test`. */
  test(...files: readonly string[]): Promise<Finished>;
  /** Runs a module from its text, and parses the JSON that it prints. */
  evaluate(text: string): Promise<unknown>;
  /** Runs `node` in the folder. @returns its standard output; @throws Error with its output */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
}

/** Not sources: installed, built, or large and never changed. */
const linked = ['node_modules', 'sample'];
const left = [...linked, 'dist', '.git', '.barline', 'coverage'];
const compiler = 'node_modules/typescript/bin/tsc';
const execute = promisify(execFile);

/** The copy is deleted when the process ends. */
export function copyTree(): TreeCopy {
  const path = temporaryFolder('tree');
  for (const name of readdirSync(root)) {
    if (!left.includes(name)) cpSync(join(root, name), join(path, name), { recursive: true });
  }
  for (const name of linked) symlinkSync(join(root, name), join(path, name));
  const attempt = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> => {
    const { NODE_TEST_CONTEXT: _, ...ours } = process.env; // with it, a test run inside a test run runs nothing
    const options = { cwd: path, env: { ...ours, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return execute(process.execPath, args, options).then(
      ({ stdout }) => ({ isGreen: true, output: stdout }),
      ({ stdout, stderr }) => ({ isGreen: false, output: `${stdout}${stderr}` }),
    );
  };
  const run: TreeCopy['run'] = async (args, env) => {
    const { isGreen, output } = await attempt(args, env);
    if (!isGreen) throw new Error(`${args.join(' ')}:\n${output}`);
    return output;
  };
  return {
    path,
    apply(edits) {
      for (const edit of edits) apply(join(path, edit.file), edit);
      return new Set(edits.map(({ file }) => file)).size;
    },
    async build() {
      await run(['scripts/build-contract.mjs']);
      await run([compiler, '-b', 'tsconfig.build.json']);
      await run(['scripts/build-bundle.mjs']);
    },
    async compile(project) {
      const { output } = await attempt([compiler, '-b', project]);
      return output.split(/\n(?=\S)/).filter((error) => / error TS\d+: /.test(error));
    },
    test: (...files) => attempt(['--import', 'tsx', '--test', ...files]),
    async evaluate(text) {
      writeFileSync(join(path, 'evaluated.ts'), text);
      return JSON.parse(await run(['--import', 'tsx', 'evaluated.ts']));
    },
    run,
  };
}

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
