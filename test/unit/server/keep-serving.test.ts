import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../support/tree.js';

/** What a process says after `code` ran in it, and its exit code. */
function run(code: string): { said: string[]; exit: number | null } {
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    cwd: root,
  });
  return { said: stdout.trim().split('\n'), exit: status };
}

const from = (file: string): string => JSON.stringify(join(root, 'dist', 'server', file));

test('a process goes on after errors that nothing catches, logs some of them and counts all', () => {
  const { said, exit } = run(`
    const { createObserver, keepServing } = await import(${from('observe.js')});
    const lines = [];
    const observer = createObserver('info', 'test', { write: (line) => lines.push(JSON.parse(line)) });
    keepServing(observer.recordUncaught);
    Promise.reject(new Error('rejected'));
    for (let i = 0; i < 50; i++) setTimeout(() => { throw new Error('thrown ' + i); });
    setTimeout(() => { throw null; });
    await new Promise((done) => setTimeout(done, 200));
    console.log(lines.length, lines[0].msg, lines[0].level, lines[0].err.message);
    console.log(/^barline_uncaught_errors_total .*/m.exec(await observer.metrics())[0]);
  `);
  assert.deepEqual([said, exit], [['20 uncaught error 50 rejected', 'barline_uncaught_errors_total 52'], 0]);
});

test('an error of the record itself does not end it either', () => {
  const { said, exit } = run(`
    const { keepServing } = await import(${from('observe.js')});
    keepServing(() => { throw new Error('full disk'); });
    setTimeout(() => { throw new Error('thrown'); });
    setTimeout(() => console.log('serving'), 50);
  `);
  assert.deepEqual([said, exit], [['serving'], 0]);
});
