import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { sha256 } from '../../data/hashes/index.js';
import { openState, type State } from '../../service/state/index.js';
import { temporaryFolder } from './temporary-folder.js';
import { root } from './tree.js';

/**
 * Most stores of tests answer too few statements to earn back the time in which V8 optimizes the
 * ten megabytes of the store's code (measured: half of the time of an opening, and a third of that
 * of 3,000 statements). Benches use some of this support as well, and measure optimized code.
 */
if (process.env.NODE_TEST_CONTEXT !== undefined) setFlagsFromString('--liftoff-only');

const service = join(root, 'service');
const sources = [
  ...readdirSync(service)
    .map((capability) => join(service, capability, 'tables.ts'))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8')),
  readFileSync(join(root, 'node_modules/bullmq/package.json'), 'utf8'),
];

/**
 * Databases that PostgreSQL keeps to copy new ones from, which no test makes: half of the files of
 * a store.
 */
const unused = ['state/base/1', 'state/base/4'];

/**
 * An embedded store as a first start leaves it, with the tables of the queues, which takes seconds:
 * made once, copied for each test.
 */
const template = join(root, 'dist', `empty-home-${sha256([...unused, ...sources].join()).slice(0, 12)}`);

/** A new home with an empty store in it, deleted when the process ends. */
export async function newHome(): Promise<string> {
  if (!existsSync(template)) await makeTemplate();
  const home = temporaryFolder('home');
  cpSync(template, home, { recursive: true });
  return home;
}

async function makeTemplate(): Promise<void> {
  const home = temporaryFolder('template');
  mkdirSync(join(root, 'dist'), { recursive: true });
  const state = await openState({ home });
  const { openQueues } = await import('../../workers/queues/index.js'); // slow to load
  const onError = (error: unknown): never => {
    throw error;
  };
  await (await openQueues({ openPool: (schema) => state.openQueuePool(schema), onError })).close();
  await state.close();
  for (const database of unused) rmSync(join(home, database), { recursive: true });
  cpSync(home, `${template}-${process.pid}`, { recursive: true });
  try {
    renameSync(`${template}-${process.pid}`, template);
  } catch {
    rmSync(`${template}-${process.pid}`, { recursive: true }); // another test was faster
  }
}

/** Opens an embedded store that the caller alone uses. */
export async function openTestState(): Promise<State> {
  return openState({ home: await newHome() });
}
