import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Writes a program that runs compiled test files in one process, one file after the other.
 *
 * Node's runner ends the hooks of a process as soon as no test is pending. A file that awaits
 * something between its tests reaches that point before its later tests are declared; what these
 * open is then never closed, and the process never ends. So the program declares a test first that
 * lasts until all files are loaded.
 *
 * @param {string} path of the program, from the root of the tree
 * @param {readonly string[]} files from the root of the tree
 * @param {readonly string[]} before modules to import before everything, such as settings of a run
 */
export function writeTestProgram(path, files, before = []) {
  mkdirSync(dirname(path), { recursive: true });
  const from = (file) => {
    const to = relative(dirname(path), file).replaceAll('\\', '/');
    return to.startsWith('.') ? to : `./${to}`;
  };
  const lines = [
    ...before.map((file) => `import '${from(file)}';`),
    `import { loaded } from '${from(join('scripts', 'hold-tests.mjs'))}';`,
    'try {',
    ...files.map((file) => `  await import('${from(file)}');`),
    '} finally {',
    '  loaded();',
    '}',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
}
