import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import ts from 'typescript';
import { parts } from '../support/sources.js';
import { root } from '../support/tree.js';

/** Short lines are easier to read. Code has the 120 columns of the formatter. */
const COLUMNS_MAX = 100;

/** A comment that a tool reads has to stay on one line. */
const isForTool = (line: string): boolean => line.includes('biome-ignore');

/** A line that holds only a comment. */
const isProse = (line: string): boolean => /^\s*(\/\/|\/\*|\* |\*\/)/.test(line);

/** Where a comment after code may begin; texts may hold the same characters. */
const maybeComment = /\s(?=\/\/|\/\*)/g;

/** Whether a position lies inside a text, a template or a regular expression. */
function isInText(source: ts.SourceFile, position: number): boolean {
  const holds = (node: ts.Node): boolean => node.getStart(source) <= position && position < node.end;
  const visit = (node: ts.Node): boolean =>
    (holds(node) && (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node))) ||
    (ts.forEachChild(node, (child) => holds(child) && visit(child)) ?? false);
  return visit(source);
}

/** Numbers of the lines with a comment that are wider than allowed. */
function wideLines(file: string, text: string): number[] {
  let parsed: ts.SourceFile | null = null;
  let start = 0;
  return text.split('\n').flatMap((line, i) => {
    const from = start;
    start += line.length + 1;
    if (line.length <= COLUMNS_MAX || isForTool(line)) return [];
    if (isProse(line)) return [i + 1];
    const places = [...line.matchAll(maybeComment)].map(({ index }) => from + index + 1);
    if (places.length === 0) return [];
    if (file.endsWith('.proto')) return [i + 1];
    parsed ??= ts.createSourceFile(file, text, ts.ScriptTarget.ES2023);
    const source = parsed;
    return places.every((place) => isInText(source, place)) ? [] : [i + 1];
  });
}

test('a comment after code is found, and the same characters in a text are not', () => {
  const long = `const a = '${'x'.repeat(COLUMNS_MAX)}';`;
  const cases: readonly [line: string, found: number][] = [
    [long, 0],
    [`${long} // why`, 1],
    [`${long} /* why */`, 1],
    [`f('a // b', \`\${a} // c\`, / \\/\\//, ${'x'.repeat(COLUMNS_MAX)});`, 0],
    ['a(); // short', 0],
    [`// ${long}`, 1],
  ];
  for (const [line, found] of cases) assert.equal(wideLines('a.ts', line).length, found, line);
  assert.deepEqual(wideLines('a.proto', `\n  string ${'x'.repeat(COLUMNS_MAX)} = 1; // why`), [2]);
});

test(`no comment is wider than ${COLUMNS_MAX} columns`, () => {
  const folders = [...parts, 'protos', 'test', 'bench', 'scripts'];
  const written = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs|proto)$/.test(file) && !/(^|\/)generated\//.test(file))
      .map((file) => join(folder, file)),
  );
  assert.ok(written.some((file) => file.endsWith('.proto')) && written.some((file) => file.endsWith('.mjs')));
  const wide = written.flatMap((file) =>
    wideLines(file, readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  assert.deepEqual(wide, []);
});
