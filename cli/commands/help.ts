import type { Command } from 'commander';
import { EngineError, quote } from '../../engine/errors.js';
import type { Environment } from '../environment.js';
import { print, printJson, printTitle } from '../output.js';

const NEAREST = 5;

/** @param program with all its commands loaded by the time of the action */
export function addHelp(program: Command, environment: Environment): void {
  program
    .command('help')
    .description('explain a command, or a signal, indicator, metric, setting, error code or word by its name')
    .argument('[topic...]', 'name of a topic, such as rsi_oversold or "sharpe ratio"')
    .option('--json', 'print JSON')
    .action(async (words: readonly string[], { json }: { json?: boolean }) => {
      const command = commandNamed(program, words);
      if (command === undefined) await explain(words.join(' '), json === true, environment);
      else process.stdout.write(command.helpInformation());
    });
}

/** The command that the words name; the program itself without words. */
const commandNamed = (program: Command, words: readonly string[]): Command | undefined =>
  words.reduce<Command | undefined>(
    (command, word) => command?.commands.find((each) => each.name() === word || each.aliases().includes(word)),
    program,
  );

async function explain(topic: string, isJson: boolean, { packageRoot }: Environment): Promise<void> {
  const { helpTopic } = await import('../../server/index.js'); // builds all pages
  const { exact, nearest } = await helpTopic(packageRoot, topic);
  const [first, ...others] = exact;
  if (first === undefined) {
    const near = nearest.slice(0, NEAREST).join(', ');
    throw new EngineError('NOT_FOUND', `no topic ${quote(topic)}${near === '' ? '' : `; nearest: ${near}`}`);
  }
  if (isJson) {
    const { isWord: _, ...topic } = first;
    printJson({ ...topic, others: others.map(({ slug }) => slug) });
    return;
  }
  printTopic(first);
  // The slug of a word may be the name of the first topic, which `barline help` would print again.
  const words = others.filter(({ isWord }) => isWord);
  for (const word of words) {
    print();
    printTopic(word);
  }
  const further = others.filter(({ isWord }) => !isWord);
  if (further.length === 0) return;
  print();
  print(`See also: ${further.map(({ slug }) => `barline help ${slug}`).join(', ')}`);
}

function printTopic({ content, filename }: { readonly content: string; readonly filename: string }): void {
  const [title = '', ...lines] = content.trimEnd().split('\n');
  printTitle(title.replace(/^#+ /, ''));
  for (const line of lines) {
    if (/^#+ /.test(line)) printTitle(line.replace(/^#+ /, ''));
    else print(line);
  }
  print();
  print(`Page: ${filename}`);
}
