import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.js';
import { root } from './tree.js';

/** A new file, or a text that comes after another one that the file has once. */
export interface Edit {
  readonly file: string;
  readonly after?: string;
  readonly text: string;
}

/** The sources in a folder of their own, where a test tries what a recipe of CONTRIBUTING promises. */
export interface TreeCopy {
  readonly path: string;
  /** @returns how many files were touched; @throws Error where a file has no such place, or more than one */
  apply(edits: readonly Edit[]): number;
  /** Writes the generated sources and compiles everything but tests. @throws Error with what the compiler said */
  build(): Promise<void>;
  /** Runs `node` in the folder. @returns its standard output; @throws Error with what it said */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
}

/** Not sources: installed, built, or large and never changed. */
const linked = ['node_modules', 'sample'];
const left = [...linked, 'dist', '.git', '.barline', 'coverage'];
const execute = promisify(execFile);

/** Gone when the process is. */
export function copyTree(): TreeCopy {
  const path = temporaryFolder('tree');
  for (const name of readdirSync(root)) {
    if (!left.includes(name)) cpSync(join(root, name), join(path, name), { recursive: true });
  }
  for (const name of linked) symlinkSync(join(root, name), join(path, name));
  const run: TreeCopy['run'] = async (args, env = {}) => {
    const options = { cwd: path, env: { ...process.env, ...env } };
    const { stdout } = await execute(process.execPath, args, options).catch((error) => {
      throw new Error(`${args.join(' ')}:\n${error.stdout}${error.stderr}`);
    });
    return stdout;
  };
  return {
    path,
    apply(edits) {
      for (const edit of edits) apply(join(path, edit.file), edit);
      return new Set(edits.map(({ file }) => file)).size;
    },
    async build() {
      await run(['scripts/build-contract.mjs']);
      await run(['node_modules/typescript/bin/tsc', '-b', 'tsconfig.build.json']);
    },
    run,
  };
}

function apply(path: string, { file, after, text }: Edit): void {
  if (after === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
    return;
  }
  const [before, ...rest] = readFileSync(path, 'utf8').split(after);
  if (rest.length !== 1) throw new Error(`${file} has ${rest.length} places after: ${after}`);
  writeFileSync(path, `${before}${after}${text}${rest[0]}`);
}
