import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parts, typescriptBelow } from './sources.js';
import { root } from './tree.js';

/** Generated from other sources. */
const generated =
  /^(engine\/simd\/binary|report\/browser-bundle|service\/assistant\/reading\/compiled-grammar)\.ts$|(^|\/)generated\//;

/** Every source file that is written by hand, named from the root. */
export const sources = typescriptBelow(parts).filter((file) => !generated.test(file));

interface Import {
  readonly from: string;
  /** Our files named from the root, as compiled (`.js`); packages as they are imported. */
  readonly target: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?<!')(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => ({
    from: file,
    target: specifier.startsWith('.') ? relative(root, resolve(root, file, '..', specifier)) : specifier,
  }));
}

/** All imports, including those of types. */
export const imports = sources.flatMap(importsOf);
/** The room in which a file stands. */
export const partOf = (file: string): string => file.split('/')[0] ?? '';
export const isOurs = (target: string): boolean => parts.includes(partOf(target));
/** Imports from one room into another. */
export const crossings = imports.filter(({ from, target }) => isOurs(target) && partOf(from) !== partOf(target));

/** The folder of the engine in which a file stands; a file beside the folders stands for itself. */
const floor = (file: string): string => file.split('/')[1].replace(/\.js$/, '.ts');

/** What each folder of the engine imports from its other folders, and from files beside them. */
export const floors: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const below = new Map(
    sources.filter((file) => partOf(file) === 'engine').map((file) => [floor(file), new Set<string>()]),
  );
  for (const { from, target } of imports) {
    if (partOf(from) !== 'engine' || partOf(target) !== 'engine') continue;
    if (floor(from) !== floor(target)) below.get(floor(from))?.add(floor(target));
  }
  return below;
})();
