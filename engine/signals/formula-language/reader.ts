import { quote } from '../../errors.js';
import type { ClockPart } from '../../indicators/clock.js';
import type { IndicatorFunction } from '../../indicators/functions.js';

/** A number, or the name of a parameter that gives it. */
export type Amount = number | { readonly param: string };

type ArithmeticSign = '+' | '-' | '*' | '/';
export type ComparisonSign = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** A part of a formula that has a number on every bar. */
export type ValueNode =
  | { readonly kind: 'amount'; readonly amount: Amount }
  /** A column of the bars, or beside them. */
  | { readonly kind: 'column'; readonly name: string }
  | {
      readonly kind: 'indicator';
      readonly indicator: IndicatorFunction;
      readonly input: ValueNode | null;
      readonly amounts: readonly Amount[];
      readonly position: number;
    }
  | {
      readonly kind: 'arithmetic';
      readonly sign: ArithmeticSign | 'max' | 'min';
      readonly left: ValueNode;
      readonly right: ValueNode;
    }
  | { readonly kind: 'abs' | 'last'; readonly part: ValueNode }
  | { readonly kind: 'session vwap' }
  /** A part of the close of the bar, in UTC. */
  | { readonly kind: 'clock'; readonly part: ClockPart }
  /** Bars since a condition was true. */
  | { readonly kind: 'since'; readonly condition: ConditionNode }
  /** A value on the bar on which a condition was last true. */
  | { readonly kind: 'when'; readonly condition: ConditionNode; readonly part: ValueNode }
  /** Percent of the values before this one that are at most this one. */
  | { readonly kind: 'rank'; readonly part: ValueNode; readonly bars: Amount }
  | { readonly kind: 'shifted'; readonly part: ValueNode; readonly bars: Amount };

/** A part of a formula that is true or false on every bar. */
export type ConditionNode =
  | {
      readonly kind: 'comparison';
      readonly sign: ComparisonSign;
      readonly left: ValueNode;
      readonly right: ValueNode;
    }
  | { readonly kind: 'crossing'; readonly left: ValueNode; readonly right: ValueNode }
  | { readonly kind: 'both' | 'either'; readonly left: ConditionNode; readonly right: ConditionNode }
  | { readonly kind: 'not'; readonly part: ConditionNode }
  | { readonly kind: 'recently'; readonly part: ConditionNode; readonly bars: Amount }
  | { readonly kind: 'earlier'; readonly part: ConditionNode; readonly bars: Amount };

/** What a parameter of a formula may be, from all the places that name it. */
export interface ParamBounds {
  readonly isWhole: boolean;
  readonly min: number;
  readonly max: number;
}

interface ParsedParams {
  /** By name, with the position of the first use. */
  readonly params: ReadonlyMap<string, ParamBounds & { readonly position: number }>;
}

export interface ParsedFormula extends ParsedParams {
  readonly condition: ConditionNode;
}

/** A formula of a number instead of a condition. */
export interface ParsedValueFormula extends ParsedParams {
  readonly value: ValueNode;
}

/** Most characters of a formula. */
const FORMULA_CHARACTERS_MAX = 2_000;
/** Most columns, numbers, functions and operators of a formula. */
const FORMULA_PARTS_MAX = 200;
/** Most brackets, signs and `not` around a part. */
const FORMULA_DEPTH_MAX = 32;

/** Bounds of a parameter that is compared or calculated with. */
const AMOUNT_MAX = 1e15;
export const anyNumber: ParamBounds = { isWhole: false, min: -AMOUNT_MAX, max: AMOUNT_MAX };

/** The tokens of a formula in order, with what has been read of it counted. */
export class TokenReader {
  readonly params = new Map<string, ParamBounds & { readonly position: number }>();
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;
  #parts = 0;

  /** @throws FormulaProblem for a text that is too long or holds a strange character */
  constructor(text: string) {
    if (text.length > FORMULA_CHARACTERS_MAX) {
      const problem = `a formula has at most ${FORMULA_CHARACTERS_MAX} characters, has ${text.length}`;
      throw new FormulaProblem(FORMULA_CHARACTERS_MAX + 1, problem);
    }
    this.#tokens = readTokens(text);
  }

  get token(): Token {
    return this.#tokens[this.#next];
  }

  skip(): void {
    this.#next++;
  }

  accept(text: string): boolean {
    return this.acceptAny([text]) !== null;
  }

  acceptAny(texts: readonly string[]): string | null {
    const { kind, text } = this.token;
    if (kind === 'end' || !texts.includes(text)) return null;
    this.#next++;
    return text;
  }

  take(sign: string): void {
    if (!this.accept(sign)) throw this.expected(quote(sign));
  }

  expected(what: string): FormulaProblem {
    const { kind, text, position } = this.token;
    return new FormulaProblem(position, `expected ${what}, found ${kind === 'end' ? 'the end' : quote(text)}`);
  }

  /** Reads a part inside another one. */
  within<T>(read: () => T): T {
    if (++this.#depth > FORMULA_DEPTH_MAX) {
      throw new FormulaProblem(this.token.position, `a formula nests at most ${FORMULA_DEPTH_MAX} levels deep`);
    }
    const inner = read();
    this.#depth--;
    return inner;
  }

  counted<T extends { readonly position: number }>(part: T): T {
    if (++this.#parts <= FORMULA_PARTS_MAX) return part;
    throw new FormulaProblem(part.position, `a formula has at most ${FORMULA_PARTS_MAX} parts`);
  }

  /** Narrows what a parameter may be by one of its uses. */
  bound(name: string, { isWhole, min, max }: ParamBounds, position: number): void {
    if (name === 'when') throw new FormulaProblem(position, 'when is the formula itself: name the parameter otherwise');
    const known = this.params.get(name) ?? { ...anyNumber, position };
    if (min > known.max || max < known.min) {
      throw new FormulaProblem(position, `${name} cannot be both ${known.min}..${known.max} and ${min}..${max}`);
    }
    this.params.set(name, {
      isWhole: isWhole || known.isWhole,
      min: Math.max(min, known.min),
      max: Math.min(max, known.max),
      position: known.position,
    });
  }
}

/** `end` stands behind the last token, so that every list of tokens has one. */
type TokenKind = 'number' | 'name' | 'sign' | 'end';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Of its first character, counted from 1. */
  readonly position: number;
}

const TOKEN =
  /\s*(?:(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z][A-Za-z0-9_]*)|(?<sign><=|>=|==|!=|[-+*/<>()[\],]))/y;

/**
 * The tokens of a formula.
 * @throws FormulaProblem for a character that begins none
 */
function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const end = text.trimEnd().length;
  while (at < end) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) throw strangeAt(text, at);
    const [kind, token] = Object.entries(groups).find(([, found]) => found !== undefined) as [TokenKind, string];
    at = TOKEN.lastIndex;
    tokens.push({ kind, text: token, position: at - token.length + 1 });
  }
  tokens.push({ kind: 'end', text: '', position: end + 1 });
  return tokens;
}

function strangeAt(text: string, from: number): FormulaProblem {
  const at = from + text.slice(from).search(/\S/);
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return new FormulaProblem(at + 1, `${quote(character)} means nothing in a formula`);
}

/** The error of a formula, with its position. */
export class FormulaProblem extends Error {
  /** @param position of the first character that is wrong, counted from 1 */
  constructor(
    readonly position: number,
    readonly problem: string,
  ) {
    super(`character ${position}: ${problem}`);
  }
}
