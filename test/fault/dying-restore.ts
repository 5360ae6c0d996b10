import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A process that restores an archive over a home and is killed at the nth rename: `dying-restore.ts
 * HOME FILE N`. It exits by itself, with 0, when there are fewer.
 */
const [home = '', file = '', n] = process.argv.slice(2);
let calls = 0;
const mutable = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
const { rename } = mutable;
mutable.rename = (...args) => {
  if (++calls === Number(n)) process.kill(process.pid, 'SIGKILL');
  return rename?.(...args);
};
syncBuiltinESMExports();

const { readServiceConfig } = await import('../../service/settings/config.js');
const { restore } = await import('../../server/operate.js');
await restore(readServiceConfig({ BARLINE_HOME: home }), file, true);
