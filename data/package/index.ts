import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError } from '../../engine/errors.js';

/** The installed package. */
interface Package {
  /** Its folder: bundled bars, examples and the contract lie below. */
  readonly root: string;
  readonly version: string;
  /** Versions of the packages that only some commands need, by name. */
  readonly optional: Readonly<Record<string, string>>;
}

let read: Package | null = null;

/** Compiled and interpreted code lie at different depths below the root of the package. */
export function ownPackage(): Package {
  if (read !== null) return read;
  let root = import.meta.dirname;
  while (!existsSync(join(root, 'package.json'))) root = dirname(root);
  const { version, optionalDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
  read = { root, version, optional: optionalDependencies };
  return read;
}

const INSTALL_ALL = 'npm install barline --include=optional';

/**
 * The error for an optional package that is not installed, with the commands that bring it; null
 * for any other error.
 */
export function missingPackage(error: unknown): EngineError | null {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return null;
  const name = /^Cannot find (?:package|module) '((?:@[^/']+\/)?[^/'.][^/']*)/.exec(String(message))?.[1];
  const version = name === undefined ? undefined : ownPackage().optional[name];
  if (name === undefined || version === undefined) return null;
  const text = `this needs the package ${name}, which is not installed: npm install ${name}@${version} brings it, ${INSTALL_ALL} all optional ones`;
  return new EngineError('NOT_FOUND', text, { package: name, version });
}

/** Runs `work`, and turns a missing optional package into an error that says how to install it. */
export async function settleMissing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw missingPackage(error) ?? error;
  }
}
