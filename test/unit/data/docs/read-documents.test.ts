import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { readDocuments } from '../../../../data/docs/index.js';
import { tempFolder } from '../../../support/data-fixtures.js';

test('Markdown below docs and the README are found with their questions, nothing else, and links are not followed', async (t) => {
  const root = tempFolder(t);
  mkdirSync(join(root, 'docs/deep'), { recursive: true });
  const files = {
    'README.md': 'words\n\n# Title \n# Second\n',
    'NOTES.md': '# Not for readers',
    'docs/b.md': 'no heading, #tag\n## smaller\n',
    'docs/deep/a.md': '# Deep\r\n',
    'docs/asked.md': '# Asked\n\n<!-- kept -->\n\n<!--\nasked:\n  asked: how; what\n    now\n  part: why: 1#2?\n-->\n',
    'docs/picture.png': '# x',
    'secret.txt': '# secret',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  symlinkSync(join(root, 'secret.txt'), join(root, 'docs/link.md'));
  symlinkSync(root, join(root, 'docs/loop'));
  const asked = new Map();
  assert.deepEqual(await readDocuments(root), [
    { path: 'README.md', name: 'README.md', title: 'Title', content: files['README.md'], asked },
    {
      ...{ path: 'docs/asked.md', name: 'asked.md', title: 'Asked', content: '# Asked\n\n<!-- kept -->\n' },
      asked: new Map([
        ['asked', ['how', 'what now']],
        ['part', ['why: 1#2?']],
      ]),
    },
    { path: 'docs/b.md', name: 'b.md', title: null, content: files['docs/b.md'], asked },
    { path: 'docs/deep/a.md', name: 'a.md', title: 'Deep', content: files['docs/deep/a.md'], asked },
  ]);
});
