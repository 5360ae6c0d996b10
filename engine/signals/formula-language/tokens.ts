import { quote } from '../../errors.js';
import { FormulaProblem } from './problem.js';

/** `end` stands behind the last token, so that every list of tokens has one. */
type TokenKind = 'number' | 'name' | 'sign' | 'end';

export interface Token {
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
export function readTokens(text: string): Token[] {
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
