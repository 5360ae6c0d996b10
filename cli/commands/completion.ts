import { Argument, type Command } from 'commander';

/** What a shell may complete. The keys of `words` are paths of commands: ` data import`. */
interface Vocabulary {
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Options that a value follows: the shell completes a file there. */
  readonly valued: readonly string[];
}

type Shell = (vocabulary: Vocabulary) => string;

/** `[INDENT]PATTERN) ACTION ;;` for each path of a command. */
const cases = (paths: Iterable<string>, action: (path: string) => string): string =>
  [...paths].map((path) => `      "${path}") ${action(path)} ;;`).join('\n');

const below = ({ words }: Vocabulary): readonly string[] => [...words.keys()].filter((path) => path !== '');

/** The same in bash and zsh. */
const walk = (vocabulary: Vocabulary): string => `    case "$at $word" in
${cases(below(vocabulary), (path) => `at="${path}"`)}
    esac
  done
  case "$before" in
    ${vocabulary.valued.join('|')}) ;;
    *) case "$at" in
${cases(vocabulary.words.keys(), (path) => `candidates=(${vocabulary.words.get(path)?.join(' ')})`)}
    esac ;;
  esac`;

const shells: Readonly<Record<string, Shell>> = {
  bash: (vocabulary) => `_barline() {
  local at="" word i before="\${COMP_WORDS[COMP_CWORD-1]}" candidates=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
${walk(vocabulary)}
  COMPREPLY=($(compgen -W "\${candidates[*]}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _barline barline
`,
  zsh: (vocabulary) => `#compdef barline
_barline() {
  local at="" word before="\${words[CURRENT-1]}"
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
${walk(vocabulary)}
  compadd -a candidates || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _barline barline
`,
  fish: (vocabulary) => `function __barline_at --argument-names wanted
  set -l at ''
  set -l typed (commandline -opc)
  contains -- "$typed[-1]" ${vocabulary.valued.join(' ')}; and return 1
  for word in $typed[2..]
    contains -- "$at $word" ${below(vocabulary)
      .map((path) => `'${path}'`)
      .join(' ')}; and set at "$at $word"
  end
  test "$at" = "$wanted"
end
${[...vocabulary.words].map(([path, words]) => `complete -c barline -n '__barline_at "${path}"' -a '${words.join(' ')}'\n`).join('')}`,
};

/** @param program with all its commands loaded by the time of the action */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that lets a shell complete commands, options and names of signals')
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(shells)))
    .action(async (shell: string) => {
      // The engine loads here, since only this answer needs it.
      const { signals } = await import('../../engine/signals/index.js');
      const names = signals.map(({ name }) => name);
      const words = completionWords(program, '', { ' signals show': names, ' help': names });
      process.stdout.write(shells[shell]?.({ words, valued: optionsWithValue(program) }) ?? '');
    });
}

/**
 * By path of a command: its subcommands, what its argument may be, and its options.
 * @param names further arguments by path
 */
function completionWords(
  command: Command,
  path: string,
  names: Readonly<Record<string, readonly string[]>>,
): Map<string, readonly string[]> {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const commands = command.commands.map((each) => each.name());
  const deeper = command.commands.flatMap((each) => [...completionWords(each, `${path} ${each.name()}`, names)]);
  return new Map([[path, [...commands, ...choices, ...(names[path] ?? []), ...options, '--help']], ...deeper]);
}

/** The options that take a value, of all commands. */
function optionsWithValue(command: Command): string[] {
  const own = command.options.flatMap(({ long, required, optional }) => (long && (required || optional) ? [long] : []));
  return [...new Set([...own, ...command.commands.flatMap(optionsWithValue)])];
}
