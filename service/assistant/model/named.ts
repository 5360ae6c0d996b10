import { indicatorFunctions } from '../../../engine/indicators/index.js';
import { signals } from '../../../engine/signals/index.js';
import { findSymbol, type World } from '../plan/apply.js';
import { type Change, changedPlaces } from '../plan/change.js';
import { type Plan, planAssets } from '../plan/plan.js';

/** The numbers that a text may mean: `1.000` is 1 and 1000, `0,5` is 0.5, `10k` is 10000. */
function numbersIn(text: string): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  for (const [said, digits = '', k] of text.matchAll(/(\d+(?:[.,]\d+)*)(?:\s?(k)(?![a-z]))?/gi)) {
    const readings = [
      digits.replaceAll(',', ''),
      digits.replaceAll('.', '').replace(',', '.'),
      digits.replaceAll(/[.,]/g, ''),
    ].map(Number);
    const numbers = readings.filter(Number.isFinite);
    found.set(said, [...new Set(k === undefined ? numbers : numbers.map((value) => value * 1_000))]);
  }
  return found;
}

/** Every number that a change sets, those within formulas, days and intervals too. */
function numbersSet(change: Change): Set<number> {
  const text = JSON.stringify([...changedPlaces(change)]);
  return new Set([...text.matchAll(/\d+(?:\.\d+)?(?:e-?\d+)?/gi)].map(([digits]) => Number(digits)));
}

const scaled = (value: number): readonly number[] =>
  [value, value / 100, value * 12].map((each) => Number(each.toPrecision(12)));

/** Numbers of a change that the message does not name, as a value, in percent or in years. */
export function unnamedNumbers(change: Change, message: string): number[] {
  const named = new Set([...numbersIn(message).values()].flat().flatMap(scaled));
  const isDay = [...(change.start ?? '').split('-'), ...(change.end ?? '').split('-')].map(Number);
  const years = new Set([...numbersIn(message).values()].flat());
  return [...numbersSet(change)].filter((value) => {
    if (value === 0 || named.has(Number(value.toPrecision(12)))) return false;
    // A month or a day may be said in words; the year of the window must stand there.
    return !(isDay.includes(value) && value <= 31 && isDay.some((year) => years.has(year)));
  });
}

/** Numbers, assets and indicators of a message that the change does not contain, in its own words. */
export function unheardParts(change: Change, message: string, plan: Plan, { held, names }: World): string[] {
  const numbers = numbersSet(change);
  const text = JSON.stringify(change).toLowerCase();
  const has = (value: number) => scaled(value).some((each) => numbers.has(each));
  const missed = [...numbersIn(message)].filter(([, readings]) => !readings.some(has)).map(([said]) => said);
  const words = [...message.matchAll(/[\p{L}_]{2,}/gu)].map(([word]) => word);
  const symbols = new Set([...held, ...names.keys()]);
  const assets = words.filter((word) => {
    const symbol = findSymbol(word, names, held);
    const isAsset = symbols.has(symbol) && (word === word.toUpperCase() || word.length > 4);
    return isAsset && !(change.assets ?? planAssets(plan)).includes(symbol);
  });
  const indicators = words.filter(
    (word) => indicatorWords.has(word.toLowerCase()) && !text.includes(word.toLowerCase()),
  );
  return [...new Set([...missed, ...assets, ...indicators])];
}

/** Words that name an indicator and nothing else. */
const indicatorWords: ReadonlySet<string> = new Set(
  [...indicatorFunctions.keys(), ...[...signals].map(({ name }) => name.split('_')[0] as string)].filter((name) =>
    /^(?:[a-z]{0,3}(?:ma|si|di|fi|ci|cd|dx|tr|vi|bv)|supertrend|bollinger|keltner|ichimoku|stoch|aroon|psar|vwap)$/.test(
      name,
    ),
  ),
);
