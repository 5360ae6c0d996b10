import { conditionFormula } from '../../../../engine/index.js';

/** A message whose formulas stand as `formula_a`, `formula_b` and so on. */
interface WithoutFormulas {
  readonly text: string;
  readonly formulas: readonly string[];
}

const FORMULAS_MAX = 20;
const LENGTH_MAX = 300;
/** A call that only a formula has: of a column, or of a cross. */
const CALL = /\b(?:crosses_(?:above|below)|[a-z_]+)\((?=[^()]*(?:\(|\b(?:close|open|high|low|volume)\b))/i;
const COMPARES = /[<>]|crosses_/;
/** What parts formulas: signs and words that none of them has outside its brackets. */
// Bounded because a message is read to 4,000 characters.
const PARTED =
  /[;:!?\n]|\.(?!\d)|,(?![^()]*\))|(?<![a-z_])(?:and|und|y|et|when|if|wenn|cuando|si|quand|buy|sell)(?![a-z_(])/i;

/**
 * Takes formulas out of a message that it has as `docs/formulas.md` writes them:
 * `crosses_above(rsi(close, 14), 30)`.
 */
export function withoutFormulas(message: string): WithoutFormulas {
  if (!CALL.test(message)) return { text: message, formulas: [] };
  const formulas: string[] = [];
  const text = message
    .split(new RegExp(`(${PARTED.source})`, 'i'))
    .map((part) => {
      if (formulas.length >= FORMULAS_MAX || part.length > LENGTH_MAX || !CALL.test(part)) return part;
      const found = formulaIn(part);
      if (found === null) return part;
      formulas.push(plain(found));
      return part.replace(found, `formula_${String.fromCharCode('a'.charCodeAt(0) + formulas.length - 1)}`);
    })
    .join('');
  return { text, formulas };
}

/** The longest run of whole words that is a formula. */
function formulaIn(part: string): string | null {
  const starts = [...part.matchAll(/(?<![\w.)\]])[\w(]/g)].map(({ index }) => index).slice(0, 12);
  const ends = [...part.matchAll(/[\w)\]](?![\w.([])/g)].map(({ index }) => index + 1).slice(-12);
  for (const start of starts) {
    for (const end of ends.toReversed()) {
      const text = part.slice(start, end);
      if (text.length > 3 && COMPARES.test(text) && CALL.test(text) && isFormula(text)) return text;
    }
  }
  return null;
}

function isFormula(text: string): boolean {
  try {
    conditionFormula('formula', plain(text));
    return true;
  } catch {
    return false;
  }
}

/** As the grammar writes formulas: `rsi(close, 14) < 30`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?, ?/g, ', ')
    .replace(/ ?(<=|>=|==|!=|<|>|\*|\/|\+) ?/g, ' $1 ')
    .trim();
