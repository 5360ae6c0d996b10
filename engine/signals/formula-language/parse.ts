import { clockParts } from '../../indicators/clock.js';
import { indicatorFunctions } from '../../indicators/functions.js';
import { nearestName } from '../../nearest.js';
import { COLUMN_NAME_RULE, isColumnName, priceColumns } from '../../series/bars.js';
import {
  type Amount,
  anyNumber,
  type ComparisonSign,
  type ConditionNode,
  FormulaProblem,
  type ParamBounds,
  type ParsedFormula,
  type ParsedValueFormula,
  TokenReader,
  type ValueNode,
} from './reader.js';

/** Most bars that one shift or one `recently` looks back. */
const SHIFT_MAX = 2_000;

type Part =
  | { readonly value: ValueNode; readonly position: number }
  | { readonly condition: ConditionNode; readonly position: number };

type Call = (parser: Parser, position: number) => Part;

const comparisons: readonly string[] = ['<', '<=', '>', '>=', '==', '!='] satisfies ComparisonSign[];
const keywords: readonly string[] = ['and', 'or', 'not'];
const columnNames: readonly string[] = priceColumns;

const crossing =
  (isUp: boolean): Call =>
  (parser, position) => {
    const a = parser.value();
    parser.take(',');
    const b = parser.value();
    return { condition: { kind: 'crossing', left: isUp ? a : b, right: isUp ? b : a }, position };
  };

const ofTwo =
  (sign: 'max' | 'min'): Call =>
  (parser, position) => {
    const left = parser.value();
    parser.take(',');
    return { value: { kind: 'arithmetic', sign, left, right: parser.value() }, position };
  };

const ofOne =
  (kind: 'abs' | 'last'): Call =>
  (parser, position) => ({ value: { kind, part: parser.value() }, position });

/** The functions that are no indicators. */
const builtIn: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['crosses_above', crossing(true)],
  ['crosses_below', crossing(false)],
  [
    'recently',
    (parser, position) => {
      const part = parser.condition();
      parser.take(',');
      return { condition: { kind: 'recently', part, bars: parser.amount('recently', lookBack(1)) }, position };
    },
  ],
  ['max', ofTwo('max')],
  ['min', ofTwo('min')],
  ['abs', ofOne('abs')],
  ['last', ofOne('last')],
  ...clockParts.map((part): [string, Call] => [part, (_, position) => ({ value: { kind: 'clock', part }, position })]),
  ['session_vwap', (_, position) => ({ value: { kind: 'session vwap' }, position })],
  ['barssince', (parser, position) => ({ value: { kind: 'since', condition: parser.condition() }, position })],
  [
    'valuewhen',
    (parser, position) => {
      const condition = parser.condition();
      parser.take(',');
      return { value: { kind: 'when', condition, part: parser.value() }, position };
    },
  ],
  [
    'percentrank',
    (parser, position) => {
      const part = parser.value();
      parser.take(',');
      return { value: { kind: 'rank', part, bars: parser.amount('percentrank', lookBack(1)) }, position };
    },
  ],
  ['column', (parser, position) => ({ value: { kind: 'column', name: parser.columnName() }, position })],
]);

const lookBack = (min: number): ParamBounds => ({ isWhole: true, min, max: SHIFT_MAX });

/** Every function of the language, for hints. */
const functionNames: readonly string[] = [...builtIn.keys(), ...indicatorFunctions.keys()];

/**
 * Reads a formula. It computes nothing, and its time grows with the length of the text only.
 * @throws FormulaProblem with the position of the first error
 */
export function parseFormula(text: string): ParsedFormula {
  const parser = new Parser(text);
  return { condition: parser.whole(), params: parser.params };
}

/**
 * Reads a formula of a number, such as `roc(close, 24)`.
 * @throws FormulaProblem as `parseFormula`
 */
export function parseValueFormula(text: string): ParsedValueFormula {
  const parser = new Parser(text);
  return { value: parser.wholeValue(), params: parser.params };
}

/** Recursive descent, one method for each level of binding. */
class Parser extends TokenReader {
  whole(): ConditionNode {
    const condition = this.condition();
    this.#end();
    return condition;
  }

  wholeValue(): ValueNode {
    const value = this.value();
    this.#end();
    return value;
  }

  #end(): void {
    if (this.token.kind !== 'end') throw this.expected('an operator or the end');
  }

  condition(): ConditionNode {
    return this.#asCondition(this.#either());
  }

  value(): ValueNode {
    return this.#asValue(this.#either());
  }

  /** A whole or fractional number within bounds, or the name of a parameter. */
  amount(owner: string, bounds: ParamBounds & { readonly name?: string }): Amount {
    const { position } = this.token;
    const what = `${bounds.name ?? 'the number of bars'} of ${owner}`;
    const wanted = `a ${bounds.isWhole ? 'whole number' : 'number'} ${bounds.min}..${bounds.max} or a parameter`;
    const refusal = (was: string) => new FormulaProblem(position, `${what} must be ${wanted}, was ${was}`);
    const node = this.within(() => this.#sum());
    const given = 'value' in node && node.value.kind === 'amount' ? node.value.amount : null;
    if (given === null) throw refusal('a calculation');
    if (typeof given !== 'number') {
      this.bound(given.param, bounds, position);
      return given;
    }
    if (given < 0 && owner === 'a shift') {
      throw new FormulaProblem(position, `a shift reads the past only, ${given} bars would read the future`);
    }
    const isFit = given >= bounds.min && given <= bounds.max && (!bounds.isWhole || Number.isSafeInteger(given));
    if (!isFit) throw refusal(String(given));
    return given;
  }

  columnName(): string {
    const { kind, text, position } = this.token;
    if (kind !== 'name' || !isColumnName(text)) {
      throw new FormulaProblem(position, `column takes the name of a column beside the bars: ${COLUMN_NAME_RULE}`);
    }
    this.skip();
    return text;
  }

  #either(): Part {
    let left = this.#both();
    while (this.accept('or')) left = this.#joined('either', left, this.#both());
    return left;
  }

  #both(): Part {
    let left = this.#negation();
    while (this.accept('and')) left = this.#joined('both', left, this.#negation());
    return left;
  }

  #joined(kind: 'both' | 'either', left: Part, right: Part): Part {
    const condition: ConditionNode = { kind, left: this.#asCondition(left), right: this.#asCondition(right) };
    return this.counted({ condition, position: left.position });
  }

  #negation(): Part {
    const { position } = this.token;
    if (!this.accept('not')) return this.#comparison();
    const part = this.within(() => this.#asCondition(this.#negation()));
    return this.counted({ condition: { kind: 'not', part }, position });
  }

  #comparison(): Part {
    const left = this.#sum();
    const sign = this.acceptAny(comparisons) as ComparisonSign | null;
    if (sign === null) return left;
    const right = this.#sum();
    const { position, text } = this.token;
    if (comparisons.includes(text)) {
      throw new FormulaProblem(position, 'a comparison has two sides: join comparisons with and');
    }
    const condition: ConditionNode = {
      kind: 'comparison',
      sign,
      left: this.#asValue(left),
      right: this.#asValue(right),
    };
    return this.counted({ condition, position: left.position });
  }

  #sum(): Part {
    let left = this.#product();
    for (let sign = this.acceptAny(['+', '-']); sign !== null; sign = this.acceptAny(['+', '-'])) {
      left = this.#calculated(sign as '+' | '-', left, this.#product());
    }
    return left;
  }

  #product(): Part {
    let left = this.#signed();
    for (let sign = this.acceptAny(['*', '/']); sign !== null; sign = this.acceptAny(['*', '/'])) {
      left = this.#calculated(sign as '*' | '/', left, this.#signed());
    }
    return left;
  }

  #calculated(sign: '+' | '-' | '*' | '/', left: Part, right: Part): Part {
    const value: ValueNode = { kind: 'arithmetic', sign, left: this.#asValue(left), right: this.#asValue(right) };
    return this.counted({ value, position: left.position });
  }

  #signed(): Part {
    const { position } = this.token;
    if (!this.accept('-')) return this.#shifted();
    const part = this.within(() => this.#asValue(this.#signed()));
    if (part.kind === 'amount' && typeof part.amount === 'number') {
      return { value: { kind: 'amount', amount: 0 - part.amount }, position };
    }
    const minusOne: ValueNode = { kind: 'amount', amount: -1 };
    return this.counted({ value: { kind: 'arithmetic', sign: '*', left: minusOne, right: part }, position });
  }

  #shifted(): Part {
    let part = this.#primary();
    while (this.accept('[')) {
      const bars = this.amount('a shift', lookBack(0));
      this.take(']');
      const { position } = part;
      part = this.counted(
        'value' in part
          ? { value: { kind: 'shifted', part: part.value, bars }, position }
          : { condition: { kind: 'earlier', part: part.condition, bars }, position },
      );
    }
    return part;
  }

  #primary(): Part {
    const { kind, text, position } = this.token;
    if (this.accept('(')) {
      const part = this.within(() => this.#either());
      this.take(')');
      return { ...part, position };
    }
    if (kind === 'number') {
      this.skip();
      const amount = Number(text);
      if (!Number.isFinite(amount)) throw new FormulaProblem(position, `${text} is too large a number`);
      return this.counted({ value: { kind: 'amount', amount }, position });
    }
    if (kind !== 'name' || keywords.includes(text)) throw this.expected('a column, a number or a function');
    this.skip();
    return this.counted(this.token.text === '(' ? this.#call(text, position) : this.#name(text, position));
  }

  #name(text: string, position: number): Part {
    if (columnNames.includes(text)) return { value: { kind: 'column', name: text }, position };
    if (functionNames.includes(text)) throw new FormulaProblem(position, `${text} is a function: write ${text}(...)`);
    this.bound(text, anyNumber, position);
    return { value: { kind: 'amount', amount: { param: text } }, position };
  }

  #call(name: string, position: number): Part {
    const own = builtIn.get(name);
    const indicator = indicatorFunctions.get(name);
    if (own === undefined && indicator === undefined) throw unknownFunction(name, position);
    this.take('(');
    const part = this.within((): Part => {
      if (own !== undefined) return own(this, position);
      // biome-ignore lint/style/noNonNullAssertion: one of the two is there
      const { takesColumn, params } = indicator!;
      const input = takesColumn ? this.value() : null;
      const amounts = params.map((param, i) => {
        if (takesColumn || i > 0) this.take(',');
        return this.amount(name, param);
      });
      // biome-ignore lint/style/noNonNullAssertion: the same
      return { value: { kind: 'indicator', indicator: indicator!, input, amounts, position }, position };
    });
    this.take(')');
    return part;
  }

  #asValue(part: Part): ValueNode {
    if ('value' in part) return part.value;
    throw new FormulaProblem(part.position, 'a number is needed here, this is true or false');
  }

  #asCondition(part: Part): ConditionNode {
    if ('condition' in part) return part.condition;
    throw new FormulaProblem(part.position, 'a condition is needed here, this is a number: compare it with another');
  }
}

function unknownFunction(name: string, position: number): FormulaProblem {
  const hint = nearestName(name, functionNames);
  return new FormulaProblem(position, `unknown function ${name}${hint === null ? '' : `, did you mean ${hint}?`}`);
}
