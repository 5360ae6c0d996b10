import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A process that appends a file to stored bars and is killed at the nth call that changes the disk:
 * `dying-append.ts HOME FILE N`. It exits by itself, with 0, when there are fewer calls.
 */
const [home, file, n] = process.argv.slice(2);
let calls = 0;
const mutable = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
for (const name of ['mkdir', 'open', 'rename', 'rm', 'writeFile', 'link', 'unlink']) {
  const original = mutable[name]!;
  mutable[name] = (...args) => {
    if (++calls === Number(n)) process.kill(process.pid, 'SIGKILL');
    return original(...args);
  };
}
syncBuiltinESMExports();

const { openBars } = await import('../../data/bars/index.js');
await openBars({ home: home! }).import(file!, { asset: 'BTC', append: true });
