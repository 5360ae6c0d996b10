/**
 * Checks the types of the examples and of the programs in the pages of the library, against the
 * declarations of the package as programs that install it see them. `npm test` runs them all.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrograms } from '../test/support/library-blocks.js';
import { root } from '../test/support/tree.js';

const folder = join(root, 'examples/library/checked');
try {
  writePrograms(folder);
  for (const examples of ['examples/library', 'examples/clients']) {
    const compiler = ['node_modules/typescript-native/bin/tsc', '-p', examples];
    const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
