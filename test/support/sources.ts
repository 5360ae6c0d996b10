import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './tree.js';

const { config } = ts.readConfigFile(join(root, 'tsconfig.build.json'), ts.sys.readFile) as {
  readonly config: { readonly include: readonly string[] };
};

/** The folders whose code is built and shipped. */
export const parts: readonly string[] = ['engine', ...config.include, 'web'];

/** Every TypeScript file below these folders, named from the root. */
export const typescriptBelow = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );

/**
 * The syntax tree of a file, without types: parsing all of our code takes a second, checking it
 * twenty.
 */
export function parse(file: string): ts.SourceFile {
  let source = parsed.get(file);
  source ??= ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ES2023, true);
  parsed.set(file, source);
  return source;
}

/** Several tests of a process read the same files. */
const parsed = new Map<string, ts.SourceFile>();

/** A position in the form that editors open. */
export const placeOf = (source: ts.SourceFile, position: number): string =>
  `${source.fileName}:${source.getLineAndCharacterOfPosition(position).line + 1}`;
