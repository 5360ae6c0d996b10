import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openState, type State } from '../../data/state/index.js';
import { root } from './tree.js';

const { version } = createRequire(import.meta.url)(join(root, 'node_modules/@electric-sql/pglite/package.json')) as {
  version: string;
};
/** An embedded store as it is after its creation, which takes seconds: made once, copied for each test. */
const template = join(root, 'node_modules/.cache', `barline-empty-store-${version}`);

/** A new home with an empty store in it. */
export async function newHome(): Promise<string> {
  if (!existsSync(template)) await makeTemplate();
  const home = mkdtempSync(join(tmpdir(), 'barline-home-'));
  cpSync(template, home, { recursive: true });
  return home;
}

async function makeTemplate(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'barline-template-'));
  const state = await openState({ home });
  await state.close();
  cpSync(home, `${template}-${process.pid}`, { recursive: true });
  rmSync(home, { recursive: true });
  try {
    renameSync(`${template}-${process.pid}`, template);
  } catch {
    rmSync(`${template}-${process.pid}`, { recursive: true }); // another test was faster
  }
}

/** An open embedded store of its own. */
export async function openTestState(): Promise<State> {
  return openState({ home: await newHome() });
}
