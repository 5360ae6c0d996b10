import ts from 'typescript';

/** One fault: in a file, `text` replaces what stands from `start` to `end`. */
export interface Fault {
  readonly file: string;
  /** `line:column`, both from 1. */
  readonly place: string;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly text: string;
}

const K = ts.SyntaxKind;

/**
 * The operators that each one may be mistaken for: its neighbour at the boundary, and its opposite.
 */
const operators = new Map<ts.SyntaxKind, readonly string[]>([
  [K.LessThanToken, ['<=', '>=']],
  [K.LessThanEqualsToken, ['<', '>']],
  [K.GreaterThanToken, ['>=', '<=']],
  [K.GreaterThanEqualsToken, ['>', '<']],
  [K.EqualsEqualsToken, ['!=']],
  [K.ExclamationEqualsToken, ['==']],
  [K.EqualsEqualsEqualsToken, ['!==']],
  [K.ExclamationEqualsEqualsToken, ['===']],
  [K.PlusToken, ['-']],
  [K.MinusToken, ['+']],
  [K.AsteriskToken, ['/']],
  [K.SlashToken, ['*']],
  [K.AsteriskAsteriskToken, ['*']],
  [K.LessThanLessThanToken, ['>>']],
  [K.GreaterThanGreaterThanGreaterThanToken, ['<<']],
  [K.PlusEqualsToken, ['-=', '=']],
  [K.MinusEqualsToken, ['+=', '=']],
  [K.AsteriskEqualsToken, ['/=', '=']],
  [K.QuestionQuestionEqualsToken, ['=']],
  [K.AmpersandAmpersandToken, ['||']],
  [K.BarBarToken, ['&&']],
]);

const twins = new Map([
  ['Math.min', 'Math.max'],
  ['Math.max', 'Math.min'],
  ['Math.floor', 'Math.ceil'],
  ['Math.ceil', 'Math.floor'],
  // Of AssemblyScript.
  ['min', 'max'],
  ['max', 'min'],
  ['f64x2.lt', 'f64x2.le'],
  ['f64x2.le', 'f64x2.lt'],
  ['f64x2.ge', 'f64x2.gt'],
  ['f64x2.gt', 'f64x2.ge'],
  ['f64x2.add', 'f64x2.sub'],
  ['f64x2.sub', 'f64x2.add'],
  ['f64x2.mul', 'f64x2.div'],
  ['f64x2.div', 'f64x2.mul'],
  ['f64x2.pmin', 'f64x2.pmax'],
  ['v128.or', 'v128.and'],
  ['v128.and', 'v128.or'],
]);
const idempotent = new Set(['Math.sqrt', 'Math.abs', 'Object.freeze', 'abs', 'f64x2.abs']);

/** Properties that are text for people; no rule reads them. */
const prose = new Set(['description', 'source', 'unit']);

/** Lists the faults of one file in the order of its text; no two give the same text. */
export function faultsOf(file: string, content: string): Fault[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.ES2023, true);
  const faults = new Map<string, Fault>();

  const plant = (node: ts.Node, ...texts: string[]): void => {
    const start = node.getStart(source);
    const end = node.getEnd();
    const original = content.slice(start, end);
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    const place = `${line + 1}:${character + 1}`;
    for (const text of texts) {
      if (text !== original) faults.set(`${start} ${end} ${text}`, { file, place, start, end, original, text });
    }
  };

  const visit = (node: ts.Node): void => {
    if (isSilent(node)) return;
    plantIn(node, plant, source);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...faults.values()].sort((a, b) => a.start - b.start);
}

/** Skips types, which vanish, module names, which are not logic, and prose. */
function isSilent(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && prose.has(node.name.text))
  );
}

type Plant = (node: ts.Node, ...texts: string[]) => void;

function plantIn(node: ts.Node, plant: Plant, source: ts.SourceFile): void {
  if (ts.isBinaryExpression(node)) {
    plant(node.operatorToken, ...(operators.get(node.operatorToken.kind) ?? []));
    if (node.operatorToken.kind === K.QuestionQuestionToken) {
      plant(node, node.left.getText(source), node.right.getText(source));
    }
  } else if (ts.isPrefixUnaryExpression(node)) {
    const isInverse = node.operator === K.ExclamationToken || node.operator === K.MinusToken;
    if (isInverse) plant(node, node.operand.getText(source));
  } else if (ts.isPostfixUnaryExpression(node)) {
    plant(node, `${node.operand.getText(source)}${node.operator === K.PlusPlusToken ? '--' : '++'}`);
  } else if (ts.isNumericLiteral(node)) {
    const value = Number(node.text);
    plant(node, String(value + 1), value === 0 ? '(-1)' : String(value - 1), '0');
  } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    if (!isName(node)) plant(node, "'other'");
  } else if (node.kind === K.TrueKeyword) plant(node, 'false');
  else if (node.kind === K.FalseKeyword) plant(node, 'true');
  else if (ts.isIdentifier(node) && isConstant(node)) plant(node, node.text === 'NaN' ? '0' : '(-Infinity)');
  else if (ts.isCallExpression(node)) plantInCall(node, plant, source);
  else if (ts.isConditionalExpression(node)) plant(node.condition, 'true', 'false');
  else if (ts.isIfStatement(node)) plant(node.expression, 'true', 'false');
  else if (ts.isBlock(node) && node.statements.length > 0 && isFunctionBody(node)) plant(node, '{}');
  else if (isRemovable(node)) plant(node, ';');
}

const isName = (node: ts.Node): boolean =>
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) || ts.isPropertySignature(node.parent);

const isConstant = (node: ts.Identifier): boolean =>
  (node.text === 'NaN' || node.text === 'Infinity') && !ts.isPropertyAccessExpression(node.parent);

const isFunctionBody = (block: ts.Block): boolean => ts.isFunctionLike(block.parent);

function plantInCall(node: ts.CallExpression, plant: Plant, source: ts.SourceFile): void {
  const callee = node.expression.getText(source);
  const twin = twins.get(callee);
  if (twin !== undefined) plant(node.expression, twin);
  if (idempotent.has(callee)) plant(node, `(${node.arguments[0].getText(source)})`);
}

const isRemovable = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node) ||
  ts.isIfStatement(node) ||
  ts.isThrowStatement(node) ||
  ts.isReturnStatement(node) ||
  ts.isContinueStatement(node) ||
  ts.isBreakStatement(node);
