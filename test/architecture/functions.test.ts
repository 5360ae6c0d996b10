import assert from 'node:assert/strict';
import test from 'node:test';
import ts from 'typescript';
import { parse, parts, placeOf, typescriptBelow } from '../support/sources.js';

/** The lines that fit a screen. */
const LINES_MAX = 60;

/** In the first comment of a longer function, the sentence with the reason starts like this. */
const reason = /\bLong because \w+/;

type FunctionWithBody = ts.FunctionLikeDeclaration & { readonly body: ts.Node };

const hasBody = (node: ts.Node): node is FunctionWithBody => ts.isFunctionLike(node) && 'body' in node && !!node.body;

/** Lines of the body, braces included. */
function linesOf({ body }: FunctionWithBody, source: ts.SourceFile): number {
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  return lineOf(body.end) - lineOf(body.getStart(source)) + 1;
}

/**
 * The comment right above the function or its statement; failing that, the first comment inside.
 */
function firstCommentOf(node: FunctionWithBody, source: ts.SourceFile): string {
  const text = source.text;
  let named: ts.Node = node;
  while (named.parent !== undefined && isNameOf(named.parent)) named = named.parent;
  const above = ts.getLeadingCommentRanges(text, named.pos) ?? [];
  const inside = ts.getLeadingCommentRanges(text, node.body.getStart(source) + 1) ?? [];
  const [first] = above.length > 0 ? [text.slice(above[0].pos, above[above.length - 1].end)] : spans(text, inside);
  return (first ?? '').replace(/\s*\n\s*(\*|\/\/)?\s*/g, ' ');
}

const spans = (text: string, [first]: readonly ts.CommentRange[]): string[] =>
  first === undefined ? [] : [text.slice(first.pos, first.end)];

const isNameOf = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) ||
  ts.isVariableDeclarationList(node) ||
  ts.isVariableStatement(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isPropertyDeclaration(node);

function longFunctions(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (hasBody(node)) {
      const lines = linesOf(node, source);
      const isExplained = lines <= LINES_MAX || reason.test(firstCommentOf(node, source));
      if (!isExplained) found.push(`${placeOf(source, node.getStart(source))}: ${lines} lines`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test(`a function body longer than ${LINES_MAX} lines gives its reason in the first comment`, () => {
  const sources = typescriptBelow(parts).map(parse);
  assert.ok(sources.length > 0);
  assert.deepEqual(sources.flatMap(longFunctions), []);
});

const parseText = (text: string): ts.SourceFile => ts.createSourceFile('long.ts', text, ts.ScriptTarget.ES2023, true);

test('long functions of every form are found, and a reason excuses only its own function', () => {
  const lines = 'f();\n'.repeat(LINES_MAX - 1);
  const forms = [
    `function long() {\n${lines}}`,
    `const long = () => {\n${lines}};`,
    `const table = { long: async () => {\n${lines}} };`,
    `class Long { long() {\n${lines}} }`,
    `f(() => {\n${lines}});`,
  ];
  for (const form of forms) assert.equal(longFunctions(parseText(form)).length, 1, form);
  const [declared, named, listed] = forms;
  const excused = [
    `/** Long because it is a table. */\n${declared}`,
    `/**\n * Does it. Long\n * because it is a table.\n */\nexport ${named}`,
    listed.replace('{\n', '{\n// Long because it is a table.\n'),
  ];
  for (const form of excused) assert.deepEqual(longFunctions(parseText(form)), []);
  assert.equal(longFunctions(parseText(`/** Long because it is a table. */\nf();\n${declared}`)).length, 1);
  assert.equal(longFunctions(parseText(`function short() {\n${lines.slice('f();\n'.length)}}`)).length, 0);
});
