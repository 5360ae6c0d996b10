import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { soak } from './scale.js';

/**
 * `npm test` runs the compiled tests in `dist/test`; a single file may run from its source, through
 * a loader.
 */
const isSource = import.meta.url.endsWith('.ts');

/** The root folder of the repository. */
export const root = resolve(import.meta.dirname, isSource ? '../..' : '../../..');

/**
 * One of our modules in the form in which the tests run, named from the root and without its
 * ending.
 */
export const modulePath = (name: string): string =>
  isSource ? resolve(root, `${name}.ts`) : resolve(root, 'dist', `${name}.js`);

export const moduleUrl = (name: string): URL => pathToFileURL(modulePath(name));

/** The options that `node` needs before a script that imports our modules. */
export const loaderArgs: readonly string[] = isSource ? ['--import', import.meta.resolve('tsx')] : [];

/** Arguments with which `node` runs one of our modules. */
export const nodeArgs = (name: string, ...args: readonly string[]): string[] => [
  ...loaderArgs,
  modulePath(name),
  ...args,
];

/** The script of our command: where the tests are compiled, the one that users run. */
export const command = resolve(root, isSource ? 'cli/main.ts' : 'dist/bundle/barline.js');

/**
 * Outside of a soak, processes that a test starts leave what they run unoptimized, the store as in
 * state.ts: most end before that pays. A start of the service took 2.4 s of a processor with the
 * first alone and 2.1 s with both; without either 3.6 s.
 */
const unoptimized = soak ? [] : ['--liftoff-only', '--interrupt-budget=1000000'];

/** Arguments with which `node` runs our command. */
export const commandArgs = (...args: readonly string[]): string[] => [...unoptimized, ...loaderArgs, command, ...args];

/** A file of `test/golden`. */
export const goldenPath = (name: string): string => resolve(root, 'test/golden', name);
