import {
  ABSOLUTE,
  ADD,
  CONSTANT,
  DIVIDE,
  LARGER,
  LATEST,
  MULTIPLY,
  SCALE,
  SHIFT,
  SMALLER,
  SUBTRACT,
} from '../../indicators/arithmetic.js';
import { CLOCK } from '../../indicators/clock.js';
import { type Column, close, source } from '../../indicators/column.js';
import { sessionVwap } from '../../indicators/moving-averages.js';
import {
  BARS_SINCE,
  BOTH,
  COMPARED,
  CROSSED,
  EITHER,
  NOT,
  PERCENT_RANK,
  RECENTLY,
  VALUE_WHEN,
} from '../../indicators/truth.js';
import {
  above,
  all,
  any,
  atLeast,
  atMost,
  below,
  type Condition,
  crossesAbove,
  earlier,
  negated,
  type Operand,
  recently,
} from '../condition.js';
import { type Amount, type ComparisonSign, type ConditionNode, FormulaProblem, type ValueNode } from './reader.js';

/** Numbers by the names of the parameters. */
export type Amounts = Readonly<Record<string, number>>;

/** What a formula is compiled for. */
interface Scope {
  readonly amounts: Amounts;
  /**
   * Longest text that describes a column. Indicators that read their input several times repeat its
   * text, so a chain of them grows by a factor with each link.
   */
  readonly columnTextMax: number;
}

const comparisons: Record<ComparisonSign, (left: Operand, right: Operand) => Condition> = {
  '<': below,
  '<=': atMost,
  '>': above,
  '>=': atLeast,
  '==': (left, right) => all(atLeast(left, right), atMost(left, right)),
  '!=': (left, right) => any(above(left, right), below(left, right)),
};

/** What a comparison says where it is not true and both sides are numbers. */
const opposites: Record<ComparisonSign, ComparisonSign> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '==': '!=',
  '!=': '==',
};

const columnArithmetic = { '+': ADD, '-': SUBTRACT, '*': MULTIPLY, '/': DIVIDE, max: LARGER, min: SMALLER } as const;
const plainArithmetic: Record<keyof typeof columnArithmetic, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  max: Math.max,
  min: Math.min,
};

/**
 * The condition of a formula, over the columns that signals in code are made of: an indicator has
 * the same column, and so the same bits and the same cost, in both.
 * @throws FormulaProblem for a chain of indicators that would take too many columns
 */
export function compileCondition(node: ConditionNode, scope: Scope): Condition {
  switch (node.kind) {
    case 'comparison':
      return comparisons[node.sign](operandFrom(node.left, scope), operandFrom(node.right, scope));
    case 'crossing':
      return crossesAbove(operandFrom(node.left, scope), operandFrom(node.right, scope));
    case 'both':
      return all(compileCondition(node.left, scope), compileCondition(node.right, scope));
    case 'either':
      return any(compileCondition(node.left, scope), compileCondition(node.right, scope));
    case 'not': {
      const { part } = node;
      if (part.kind !== 'comparison') return negated(compileCondition(part, scope));
      return compileCondition({ ...part, sign: opposites[part.sign] }, scope);
    }
    case 'recently':
      return recently(amountValue(node.bars, scope), compileCondition(node.part, scope));
    case 'earlier':
      return earlier(amountValue(node.bars, scope), compileCondition(node.part, scope));
  }
}

/** The column of a formula of a number. @throws FormulaProblem as `compileCondition` */
export const compileColumn = (node: ValueNode, scope: Scope): Column => columnFrom(operandFrom(node, scope));

/** Adding 0 makes -0 to 0, which has the same text in the key of a column. */
const amountValue = (amount: Amount, { amounts }: Pick<Scope, 'amounts'>): number =>
  (typeof amount === 'number' ? amount : amounts[amount.param]) + 0;

function operandFrom(node: ValueNode, scope: Scope): Operand {
  switch (node.kind) {
    case 'amount':
      return amountValue(node.amount, scope);
    case 'column':
      return asOperand(source(node.name));
    case 'indicator': {
      const input = node.input === null ? close : columnFrom(operandFrom(node.input, scope));
      const column = node.indicator.build(input, ...node.amounts.map((amount) => amountValue(amount, scope)));
      if (column.key.length <= scope.columnTextMax) return asOperand(column);
      throw new FormulaProblem(node.position, 'too many indicators of indicators');
    }
    case 'arithmetic':
      return calculated(node.sign, operandFrom(node.left, scope), operandFrom(node.right, scope));
    case 'abs': {
      const part = operandFrom(node.part, scope);
      return typeof part === 'number' ? Math.abs(part) : asOperand(ABSOLUTE(columnFrom(part)));
    }
    case 'last': {
      const part = operandFrom(node.part, scope);
      return typeof part === 'number' ? part : asOperand(LATEST(columnFrom(part)));
    }
    case 'session vwap':
      return asOperand(sessionVwap);
    case 'clock':
      return asOperand(CLOCK(node.part));
    case 'since':
      return asOperand(BARS_SINCE(truth(node.condition, scope)));
    case 'when':
      return asOperand(VALUE_WHEN(truth(node.condition, scope), compileColumn(node.part, scope)));
    case 'rank':
      return asOperand(PERCENT_RANK(compileColumn(node.part, scope), amountValue(node.bars, scope)));
    case 'shifted': {
      const part = operandFrom(node.part, scope);
      return typeof part === 'number' ? part : { ...part, lag: part.lag + amountValue(node.bars, scope) };
    }
  }
}

/** A condition as a column, see `truth.ts`. */
function truth(node: ConditionNode, scope: Scope): Column {
  switch (node.kind) {
    case 'comparison':
      return COMPARED[node.sign](compileColumn(node.left, scope), compileColumn(node.right, scope));
    case 'crossing':
      return CROSSED(compileColumn(node.left, scope), compileColumn(node.right, scope));
    case 'both':
      return BOTH(truth(node.left, scope), truth(node.right, scope));
    case 'either':
      return EITHER(truth(node.left, scope), truth(node.right, scope));
    case 'not':
      return NOT(truth(node.part, scope));
    case 'recently':
      return RECENTLY(truth(node.part, scope), amountValue(node.bars, scope));
    case 'earlier':
      return SHIFT(truth(node.part, scope), amountValue(node.bars, scope));
  }
}

const asOperand = (column: Column): Operand => ({ column, lag: 0, scale: 1 });

/** Comparisons shift and scale by themselves; only a calculation over a value needs a column. */
function columnFrom(value: Operand): Column {
  if (typeof value === 'number') return CONSTANT(value);
  const { column, lag, scale } = value;
  return SHIFT(scale === 1 ? column : SCALE(scale, column), lag);
}

function calculated(sign: keyof typeof columnArithmetic, left: Operand, right: Operand): Operand {
  if (typeof left === 'number' && typeof right === 'number') return plainArithmetic[sign](left, right) + 0;
  if (sign === '*' && typeof left === 'number') return scaled(left, right);
  if (sign === '*' && typeof right === 'number') return scaled(right, left);
  return asOperand(columnArithmetic[sign](columnFrom(left), columnFrom(right)));
}

/** A second factor takes a column of its own, since the product of both would round otherwise. */
const scaled = (factor: number, value: Operand): Operand =>
  typeof value !== 'number' && value.scale === 1
    ? { ...value, scale: factor }
    : { column: columnFrom(value), lag: 0, scale: factor };

/** How many bars the parts of a formula need until all of them have values. */
export function countBarsNeeded(node: ConditionNode | ValueNode, scope: Pick<Scope, 'amounts'>): number {
  switch (node.kind) {
    case 'amount':
    case 'column':
    case 'clock':
    case 'session vwap':
      return 1;
    case 'indicator': {
      const own = node.indicator.bars(...node.amounts.map((amount) => amountValue(amount, scope)));
      return node.input === null ? own : own + countBarsNeeded(node.input, scope) - 1;
    }
    case 'arithmetic':
    case 'comparison':
    case 'both':
    case 'either':
      return Math.max(countBarsNeeded(node.left, scope), countBarsNeeded(node.right, scope));
    case 'crossing':
      return Math.max(countBarsNeeded(node.left, scope), countBarsNeeded(node.right, scope)) + 1;
    case 'abs':
    case 'last':
    case 'not':
      return countBarsNeeded(node.part, scope);
    case 'since':
      return countBarsNeeded(node.condition, scope);
    case 'when':
      return Math.max(countBarsNeeded(node.condition, scope), countBarsNeeded(node.part, scope));
    case 'rank':
      return countBarsNeeded(node.part, scope) + amountValue(node.bars, scope);
    case 'recently':
      return countBarsNeeded(node.part, scope) + amountValue(node.bars, scope) - 1;
    case 'shifted':
    case 'earlier':
      return countBarsNeeded(node.part, scope) + amountValue(node.bars, scope);
  }
}
