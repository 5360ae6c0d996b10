import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settleHome } from '../../data/state/embedded/index.js';
import { backUp } from '../../server/operate.js';
import { readServiceConfig } from '../../service/settings/config.js';
import { openState } from '../../service/state/index.js';
import { runs } from '../support/scale.js';
import { newHome } from '../support/state.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { nodeArgs } from '../support/tree.js';

/** A home whose store and files all say `word`. */
async function homeOf(word: string): Promise<string> {
  const home = await newHome();
  for (const folder of ['runs', 'sweeps']) {
    mkdirSync(join(home, folder));
    writeFileSync(join(home, folder, 'word.json'), JSON.stringify(word));
  }
  const { db, close } = await openState({ home });
  await db.insertInto('server_secrets').values({ name: 'word', value: word }).execute();
  await close();
  return home;
}

async function wordsIn(home: string): Promise<string[]> {
  const words = ['runs', 'sweeps'].map((folder) => {
    const file = join(home, folder, 'word.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string) : 'none';
  });
  const { db, close } = await openState({ home });
  const row = await db.selectFrom('server_secrets').select('value').where('name', '=', 'word').executeTakeFirst();
  await close();
  return [...words, String(row?.value)];
}

test('a restore killed between any two moves leaves the old home or the new one', async (t) => {
  const archive = join(temporaryFolder('archives'), 'new.tar');
  await backUp(readServiceConfig({ BARLINE_HOME: await homeOf('new') }), archive, '9.9.9');
  const old = await homeOf('old');
  const seen = { old: 0, new: 0 };
  for (let step = 1; ; step += runs(6, 1, 1)) {
    const home = join(temporaryFolder('killed'), 'home');
    cpSync(old, home, { recursive: true });
    const child = spawn(process.execPath, nodeArgs('test/fault/dying-restore', home, archive, String(step)), {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    const [code] = (await once(child, 'exit')) as [number | null];
    await settleHome(home); // as each command does first
    const words = await wordsIn(home);
    assert.equal(new Set(words).size, 1, `killed at rename ${step}: ${words.join(', ')}`);
    seen[words[0] as keyof typeof seen]++;
    if (code === 0) break;
    assert.ok(step < 50);
  }
  assert.ok(seen.old > 0 && seen.new > 1, JSON.stringify(seen));
});
