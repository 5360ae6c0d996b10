import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { runs } from '../support/scale.js';
import { newHome } from '../support/state.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { loaderArgs, moduleUrl } from '../support/tree.js';

/** A process in a process namespace of its own, with the host name and network of this one. */
const apart = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const noNamespaces: string | false = (() => {
  try {
    execFileSync(apart[0] ?? '', [...apart.slice(1), 'true'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'this user may make no process namespaces (unshare --pid)';
  }
})();

interface Opener {
  readonly child: ChildProcess;
  /** `held`, or the message of the refusal. */
  readonly outcome: Promise<string>;
}

/** A process that locks a home and keeps it until its input ends. */
function opener(home: string, before: readonly string[] = []): Opener {
  const script = `
    const { lockHome } = await import(${JSON.stringify(moduleUrl('data/state/embedded/home-lock').href)});
    try {
      const lock = await lockHome(${JSON.stringify(home)});
      console.log('held');
      process.stdin.resume().on('end', () => lock.release());
    } catch (error) {
      console.log(error.message);
      process.exit(1);
    }`;
  const [command = '', ...args] = [...before, process.execPath, ...loaderArgs, '--input-type=module', '-e', script];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const outcome = Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(child, 'exit').then(([code]) => `ended with ${code}`),
  ]);
  return { child, outcome };
}

async function ended({ child }: Opener): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function letGo(held: Opener): Promise<void> {
  held.child.stdin?.end();
  await ended(held);
}

const socketsIn = (home: string): string[] => readdirSync(home).filter((name) => name.startsWith('owner-'));

const longHome = (): string => {
  const home = join(temporaryFolder('long'), 'a'.repeat(120));
  mkdirSync(home);
  return home;
};

for (const [kind, make] of [
  ['a home', newHome],
  ['a home whose path is too long for a socket', async () => longHome()],
] as const) {
  test(`${kind} that a process of another namespace owns is refused, and free after its death`, {
    skip: noNamespaces,
  }, async () => {
    const home = await make();
    const first = opener(home, apart);
    assert.equal(await first.outcome, 'held');
    const second = opener(home);
    assert.match(await second.outcome, /in use by process \d+ of another process namespace/);
    const third = opener(home, apart);
    assert.match(await third.outcome, /in use by/);
    await Promise.all([ended(second), ended(third)]);
    first.child.kill('SIGKILL'); // takes the namespace with it
    await ended(first);
    const next = opener(home, apart);
    assert.equal(await next.outcome, 'held', 'nobody has to remove a file');
    await letGo(next);
    assert.deepEqual(socketsIn(home), []);
  });
}

test('of processes that open one home at once, exactly one gets it, again and again', async () => {
  const home = await newHome();
  for (let round = 0; round < runs(2, 20, 20); round++) {
    const openers = [opener(home), opener(home), opener(home, noNamespaces === false && round % 4 === 0 ? apart : [])];
    const outcomes = await Promise.all(openers.map(({ outcome }) => outcome));
    const held = openers.filter((_, i) => outcomes[i] === 'held');
    assert.equal(held.length, 1, `round ${round}: ${outcomes.join(' | ')}`);
    for (const outcome of outcomes) assert.match(outcome, /^held$|in use by/);
    // Every other round the owner is killed, and the next round finds what it left.
    for (const each of held) {
      if (round % 2 === 0) await letGo(each);
      else each.child.kill('SIGKILL');
    }
    await Promise.all(openers.map(ended));
  }
  const last = opener(home);
  assert.equal(await last.outcome, 'held');
  assert.match(readFileSync(join(home, 'server.lock'), 'utf8'), new RegExp(`^${last.child.pid} `));
  await letGo(last);
  assert.deepEqual(socketsIn(home), []);
});
