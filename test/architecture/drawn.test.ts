import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { crossings, floors, partOf } from '../support/imports.js';
import { root } from '../support/tree.js';

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** A section of the page, up to the next heading. */
function section(title: string): string {
  const [, text = ''] = page.split(`\n## ${title}\n`);
  return text.split(/\n#+ /)[0];
}

/** The arrows of the first picture of a section, sorted. */
function drawnIn(title: string): string[] {
  const [, picture = ''] = /```mermaid\n(.*?)```/s.exec(section(title)) ?? [];
  return [...picture.matchAll(/(\w+) --> (\w+)/g)].map(([, from, to]) => `${from} -> ${to}`).sort();
}

/**
 * The folders of the engine and what each imports of them; files beside the folders are not drawn.
 */
const folders = new Map(
  [...floors]
    .filter(([floor]) => !floor.endsWith('.ts'))
    .map(([floor, below]) => [floor, [...below].filter((lower) => !lower.endsWith('.ts'))]),
);

const imports = (folder: string): readonly string[] => folders.get(folder) ?? [];

/** Whether a chain of imports leads from one folder to another. Ends where there is no circle. */
const reaches = (from: string, to: string): boolean =>
  imports(from).some((lower) => lower === to || reaches(lower, to));

test('the drawing of the rooms has exactly the arrows that the imports have', () => {
  const imported = new Set(crossings.map(({ from, target }) => `${partOf(from)} -> ${partOf(target)}`));
  assert.deepEqual(drawnIn('The rooms'), [...imported].sort());
});

test('the drawing of the engine has an arrow for every import that no chain of others implies', () => {
  const direct = [...folders].flatMap(([from, below]) =>
    below.filter((to) => !below.some((other) => reaches(other, to))).map((to) => `${from} -> ${to}`),
  );
  assert.ok(direct.length > 0);
  assert.deepEqual(drawnIn('The engine'), direct.sort());
});

test('the table of the engine lists every folder, and above each row what the folder imports', () => {
  const listed = [...section('The engine').matchAll(/^\| `(\w+)` \|/gm)].map(([, folder]) => folder);
  assert.deepEqual([...listed].sort(), [...folders.keys()].sort());
  const early = listed.flatMap((folder, i) =>
    imports(folder)
      .filter((lower) => !listed.slice(0, i).includes(lower))
      .map((lower) => `${folder} imports ${lower}`),
  );
  assert.deepEqual(early, []);
});
