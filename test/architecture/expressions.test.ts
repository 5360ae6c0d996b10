import assert from 'node:assert/strict';
import test from 'node:test';
import { analyse } from 'scslre';
import ts from 'typescript';
import { parse, parts, placeOf, typescriptBelow } from '../support/sources.js';

/**
 * An expression whose time grows faster than its text can stop the service: one that is read again
 * from each place of a long run, or whose parts share a run between them in many ways.
 */

/** In the comment above its statement, the sentence that excuses an expression starts like this. */
const reason = /\bBounded because \S+/;

interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly node: ts.Node;
}

/** The literals of a file, and the expressions that it makes of texts which are written out. */
function expressionsIn(file: ts.SourceFile): Expression[] {
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), node });
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      const [pattern, flags] = node.arguments ?? [];
      const given = flags !== undefined && ts.isStringLiteral(flags) ? flags.text : '';
      if (pattern !== undefined) found.push({ source: writtenOut(pattern), flags: given, node });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * The pattern of `new RegExp`. A part that is only known at run time counts as a word: it comes
 * from a table of the tree, never from a caller.
 */
function writtenOut(pattern: ts.Expression): string {
  if (ts.isStringLiteralLike(pattern)) return pattern.text;
  if (ts.isTemplateExpression(pattern)) {
    return pattern.head.text + pattern.templateSpans.map(({ literal }) => `(?:word)${literal.text}`).join('');
  }
  return 'word';
}

function commentAbove(node: ts.Node): string {
  let statement = node;
  while (statement.parent !== undefined && !ts.isSourceFile(statement.parent) && !ts.isBlock(statement.parent)) {
    statement = statement.parent;
  }
  const text = statement.getSourceFile().text;
  const ranges = ts.getLeadingCommentRanges(text, statement.pos) ?? [];
  return ranges
    .map(({ pos, end }) => text.slice(pos, end))
    .join(' ')
    .replace(/\s*\n\s*(\*|\/\/)?\s*/g, ' ');
}

/** Whether the time of an expression grows faster than its text. */
const isSlow = ({ source, flags }: Expression): boolean => analyse({ source, flags }).reports.length > 0;

const slowIn = (file: ts.SourceFile): string[] =>
  expressionsIn(file)
    .filter((expression) => isSlow(expression) && !reason.test(commentAbove(expression.node)))
    .map(({ node, source }) => `${placeOf(file, node.getStart())}: ${source}`);

test('no expression takes more than linear time, or the comment above says what bounds its text', () => {
  const files = typescriptBelow(parts).map(parse);
  assert.ok(files.flatMap(expressionsIn).length > 300);
  assert.deepEqual(files.flatMap(slowIn), []);
});
