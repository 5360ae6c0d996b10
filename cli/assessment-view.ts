import { type Assessment, datasetName, type WalkForward } from '../engine/sweep/index.js';
import { listFindings, type MarketHeld, plainSpaces, verdictText, walkForwardWords } from '../report/index.js';
import { count, headedTable, percent, terminalWidth } from './output.js';

/** Longer lines of prose are hard to read. */
const WIDTH_MAX = 130;

/** Says in plain words how far the best run can be believed. */
export function assessmentLines(one: Assessment, market: MarketHeld = 'the asset'): string[] {
  const lines = wrap(`${datasetName(one)}: ${verdictText(one)}`);
  for (const { question, answer } of listFindings(one)) lines.push(...wrap(`${question} ${answer}`));
  if (one.walkForward !== null) lines.push('', ...walkForwardLines(one, one.walkForward, market));
  return lines;
}

/** One line per fold, then all test windows together. */
function walkForwardLines(one: Assessment, walk: WalkForward, market: MarketHeld): string[] {
  const { folds, metric, minTrades } = walk;
  const tries = new Set(folds.map(({ trialCount }) => trialCount));
  const isSame = tries.size === 1; // then the title says it, and the table fits into 80 columns
  const figures = ['in sample', 'out of sample', 'return', 'market', 'drawdown', 'trades'];
  const header = ['train', 'test', 'run', ...(isSame ? [] : ['tries']), ...figures];
  const rows = folds.map((fold) => [
    `${fold.trainFrom} to ${fold.trainTo}`,
    `${fold.testFrom} to ${fold.testTo}`,
    `${fold.run}${fold.trainTrades < minTrades ? '*' : ''}`,
    ...(isSame ? [] : [count(fold.trialCount)]),
    fold.inSample?.toFixed(3) ?? '-',
    fold.outOfSample?.toFixed(3) ?? '-',
    percent(fold.totalReturn, 1),
    percent(fold.marketReturn, 1),
    percent(fold.maxDrawdown, 1),
    count(fold.trades),
  ]);
  return [
    `${datasetName(one)}, walk forward: the best${isSame ? ` of ${[...tries].map(count)} runs` : ' run'} of each training window by ${metric}, on the bars that follow`,
    ...headedTable(
      [header, ...rows],
      header.map((_, i) => (i < 2 ? 'left' : 'right')),
    ),
    ...wrap(walkForwardWords(walk, market)),
  ];
}

/** Wraps to the terminal, with ASCII minus signs. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  const width = Math.min(WIDTH_MAX, terminalWidth());
  // A no-break space keeps a number and its percent sign together until the lines are built.
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map(plainSpaces);
}
