import type { PlannedRule } from '../../candidate.js';
import { averages, channels, oscillators, others } from './indicator-words.js';

const keysOfFormulas: readonly (readonly [RegExp, string])[] = [
  [/\bstoch_rsi\(/, 'stochastic rsi'],
  [/\bstoch\(/, 'stochastic'],
  [/\bmacd_\w+\(/, 'macd'],
  [/\bbollinger_(?:upper|lower)\(/, 'bollinger'],
  [/\bkeltner_(?:upper|lower)\(/, 'keltner'],
];
const PERIOD = /\((?:close, |high, |low, |volume, )?(\d+)/;
const LEVEL = /(?:[<>] |, )(-?\d+(?:\.\d+)?)\)?$/;

/**
 * What "it" means where a message before named the rule: `ema 20 / 50 cross above`. Null where
 * words have no name for it.
 */
export function subjectOf(rule: PlannedRule | undefined): string | null {
  if (rule === undefined) return null;
  return rule.name === 'formula' ? subjectOfFormula(String(rule.params.when)) : subjectOfSignal(rule);
}

/** The first of the words of an oscillator, which are parts of patterns. */
const wordOf = ({ words }: (typeof oscillators)[number]): string => (words.split('|')[0] ?? '').replaceAll('?', '');

function subjectOfSignal({ name, params }: PlannedRule): string | null {
  const up = /_up$|bullish|upper|above|overbought|strong|positive|long|direction/.test(name);
  const way = up ? 'above' : 'below';
  const level = params.threshold === undefined ? '' : ` ${String(params.threshold)}`;
  const oscillator = oscillators.find(({ key }) => name.startsWith(`${key}_`));
  if (oscillator !== undefined) {
    return `${wordOf(oscillator)} (${String(params.window ?? oscillator.period)}) cross ${way}${level}`;
  }
  const channel = channels.find(({ key }) => name.startsWith(`${key}_`));
  if (channel !== undefined) {
    const given = [params.window, params.window_dev ?? params.multiplier].filter((each) => each !== undefined);
    return `price cross ${way} ${up ? 'upper' : 'lower'} ${channel.word} (${given.join(', ')})`;
  }
  if (name.startsWith('macd')) return `macd cross ${way}`;
  const average = averages.find((each) => name.includes(`${each}_`) || name.endsWith(`_${each}`));
  if (average !== undefined) {
    return params.window_fast === undefined
      ? `price ${way} ${average} ${String(params.window)}`
      : `${average} ${String(params.window_fast)} / ${String(params.window_slow)} cross ${way}`;
  }
  const other = others.find(([, key]) => name.startsWith(`${key}_`));
  return other === undefined ? null : `${other[1].replaceAll('_', ' ')} cross ${way}`;
}

function subjectOfFormula(when: string): string | null {
  const way = /crosses_below|</.test(when) ? 'below' : 'above';
  const period = PERIOD.exec(when.replace(/^crosses_(?:above|below)/, ''))?.[1];
  if (period === undefined) return null;
  const average = [...averages, 'vwap'].find((each) => new RegExp(`\\b${each}\\(`).test(when));
  if (average !== undefined) return `price cross ${way} ${average} ${period}`;
  const level = LEVEL.exec(when)?.[1] ?? '';
  const named =
    keysOfFormulas.find(([pattern]) => pattern.test(when))?.[1] ??
    oscillators.filter(({ key }) => new RegExp(`\\b${key}\\(`).test(when)).map(wordOf)[0];
  if (named === undefined) return null;
  const side = /_(upper|lower)\(/.exec(when)?.[1];
  return side === undefined
    ? `${named} (${period}) cross ${way} ${level}`.trim()
    : `price cross ${way} ${side} ${named} (${period})`;
}
