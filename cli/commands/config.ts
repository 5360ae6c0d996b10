import type { Command } from 'commander';
import { executionFieldNames, fieldOf, positionFieldNames } from '../../engine/execution/index.js';
import type { Environment } from '../environment.js';
import { headedTable, print, printJson, printTitle } from '../output.js';

export function addConfig(program: Command, environment: Environment): void {
  program
    .command('config')
    .alias('settings')
    .description('list every setting with its value, default and source')
    .option('--json', 'print JSON')
    .option('--markdown', 'print what each environment variable is for, as a table of Markdown')
    .action(async ({ json = false, markdown = false }: { json?: boolean; markdown?: boolean }) => {
      if (!markdown) return list(json, environment);
      const { settingsTable } = await import('../../server/index.js');
      for (const line of settingsTable().split('\n')) process.stdout.write(`${line}\n`);
    });
}

async function list(isJson: boolean, environment: Environment): Promise<void> {
  const variables = await environment.listSettings();
  const run = [...executionFieldNames, ...positionFieldNames].map((name) => {
    const { default: published, unit = '', description } = fieldOf(name);
    return { name, default: published, unit, description };
  });
  if (isJson) {
    printJson({ environment: variables, run });
    return;
  }
  printTitle('Environment');
  const rows = variables.map(({ name, value, default: usual, source }) => [name, text(value), text(usual), source]);
  for (const line of headedTable([['name', 'value', 'default', 'source'], ...rows], ['whole'])) print(line);
  print();
  printTitle('Settings of a run (--config NAME=VALUE)');
  const settings = run.map(({ name, default: usual, unit, description }) => [
    name,
    shortText(usual),
    unit,
    description,
  ]);
  for (const line of headedTable([['name', 'default', 'unit', 'what'], ...settings], ['whole'])) print(line);
  print();
  print('barline help NAME explains one of them; docs/reference/settings.md has all.');
}

const text = (value: unknown): string =>
  value === null ? '-' : typeof value === 'string' ? value : JSON.stringify(value);

/** An object is too wide for a table; `barline help` prints it. */
const shortText = (value: unknown): string => (typeof value === 'object' && value !== null ? '{...}' : text(value));
