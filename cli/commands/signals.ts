import type { Command } from 'commander';
import { readBarsFile } from '../../data/bars/index.js';
import { EngineError, quote } from '../../engine/errors.js';
import { indicatorCatalogue, type ParamSpec } from '../../engine/indicators/index.js';
import { nearestName } from '../../engine/nearest.js';
import { parseInterval } from '../../engine/series/index.js';
import { requireSignal, type Signal, signals } from '../../engine/signals/index.js';
import { evaluateSignals } from '../../research/index.js';
import { readJson, requireOption } from '../inputs.js';
import { plural, print, printJson, table } from '../output.js';

export function addSignals(program: Command): void {
  const command = program.command('signals').description('list, show and evaluate signals');
  command
    .command('list')
    .description('list every signal by category and name')
    .option('--category <name>', 'category: momentum, trend, volume, volatility, patterns, onchain or user')
    .option('--json', 'print JSON')
    .action(({ category, json }: { category?: string; json?: boolean }) => list(category, json === true));
  command
    .command('show')
    .description('show parameters, condition and formulas of one signal')
    .argument('<name>', 'name or alias')
    .option('--json', 'print JSON')
    .action((name: string, { json }: { json?: boolean }) => show(requireSignal(name), json === true));
  command
    .command('evaluate')
    .description('show on which bars of a file the requested signals are true')
    .option('--bars <file>', 'CSV, JSON, Parquet or Arrow file of bars, with or without chain columns')
    .option('--requests <file>', 'JSON array of {name, params} (- for standard input)')
    .option('--interval <length>', 'length of a bar, needed when their spacing leaves it open')
    .option('--json', 'print JSON')
    .action(evaluate);
}

/** The record as the API documents it. */
const asJson = (signal: Signal) => ({
  name: signal.name,
  category: signal.category,
  type: signal.type,
  aliases: signal.aliases,
  family: signal.family,
  bias: signal.bias,
  metadata: {
    rule_name: signal.name,
    description: signal.description,
    requires: signal.requires,
    params: Object.fromEntries(
      Object.entries(signal.params).map(([name, spec]) => [name, { ...spec, optional: spec.default !== undefined }]),
    ),
    constraints: signal.constraints,
  },
  definition: signal.definition,
});

function list(category: string | undefined, isJson: boolean): void {
  const categories = [...new Set(signals.map((signal) => signal.category))];
  if (category !== undefined && !(categories as string[]).includes(category)) {
    const hint = nearestName(category, categories);
    const suggestion = hint === null ? '' : `, did you mean ${hint}?`;
    const known = categories.join(', ');
    throw new EngineError('INVALID_FIELD', `category must be one of ${known}, was ${quote(category)}${suggestion}`);
  }
  const chosen = signals.filter((signal) => category === undefined || signal.category === category);
  if (isJson) {
    printJson(chosen.map(asJson));
    return;
  }
  const rows = chosen.map(({ category, type, name, params }) => [category, type, name, Object.keys(params).join(' ')]);
  for (const line of table(rows)) print(line);
  print(plural(chosen.length, 'signal'));
}

function show(signal: Signal, isJson: boolean): void {
  if (isJson) {
    printJson({ ...asJson(signal), formulas: indicatorFormulas(signal) });
    return;
  }
  print(`${signal.name} (${signal.type}, ${signal.category}, ${signal.bias})`);
  print(signal.description);
  if (signal.aliases.length > 0) print(`also known as ${signal.aliases.join(', ')}`);
  print();
  print(`true at bar t when: ${signal.definition}`);
  print(`columns: ${signal.requires.join(', ')}`);
  const rows = Object.entries(signal.params).map(([name, spec]) => [
    `  ${name}`,
    spec.type,
    boundsText(spec),
    defaultText(spec),
  ]);
  if (rows.length > 0) print('parameters:');
  for (const line of table(rows)) print(line);
  for (const [left, operator, right] of signal.constraints) print(`  ${left} ${operator} ${right}`);
  if (signal.indicators.length > 0) print();
  for (const { title, formula } of Object.values(indicatorFormulas(signal))) print(`${title}: ${formula}`);
}

const indicatorFormulas = ({ indicators }: Signal) =>
  Object.fromEntries(
    indicators.map((name) => {
      const { title, formula } = indicatorCatalogue[name];
      return [name, { title, formula }];
    }),
  );

function boundsText(spec: ParamSpec): string {
  if (spec.type === 'bool') return 'true or false';
  if (spec.type === 'formula') return spec.note;
  if (spec.type === 'str') return spec.enum === undefined ? spec.note : spec.enum.join(' | ');
  return `${spec.min} .. ${spec.max}`;
}

const defaultText = (spec: ParamSpec): string =>
  spec.default === undefined
    ? 'required'
    : `default ${Array.isArray(spec.default) ? spec.default.join(' ') : spec.default}`;

interface EvaluateOptions {
  readonly bars?: string;
  readonly requests?: string;
  readonly interval?: string;
  readonly json?: boolean;
}

async function evaluate({ bars: path, requests, interval, json }: EvaluateOptions): Promise<void> {
  const intervalMs = interval === undefined ? undefined : parseInterval(interval);
  const { bars } = await readBarsFile(requireOption('--bars', path), { intervalMs });
  const answers = evaluateSignals(await readJson(requireOption('--requests', requests), 'requests'), bars);
  if (json) {
    printJson(answers);
    return;
  }
  for (const { name, params, bars: on, note } of answers) {
    print(
      `${name} ${JSON.stringify(params)}: true on ${plural(on.length, 'bar')} of ${bars.barCount}${note ? ` (${note})` : ''}`,
    );
    if (on.length > 0) print(`  ${on.join(' ')}`);
  }
}
