import { Argument, type Command } from 'commander';

type Shell = (words: ReadonlyMap<string, readonly string[]>) => string;

/** What may follow a command, as a script for a shell. The key is the path of the command. */
const shells: Readonly<Record<string, Shell>> = {
  bash: (words) => `_barline() {
  local path="" word candidates
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${cases(
  [...words.keys()].filter((path) => path !== ''),
  (path) => ` ${path}`,
  (path) => `path=" ${path}"`,
)}
    esac
  done
  case "$path" in
${cases(
  [...words.keys()],
  (path) => (path === '' ? '' : ` ${path}`),
  (path) => `candidates="${words.get(path)?.join(' ')}"`,
)}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _barline barline
`,
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${shells.bash?.(words)}`,
  fish: (words) =>
    [...words]
      .map(([path, follow]) => {
        const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
        const condition = path === '' ? '__fish_use_subcommand' : seen.join('; and ');
        return `complete -c barline -n '${condition}' -a '${follow.join(' ')}'\n`;
      })
      .join(''),
};

const cases = (paths: readonly string[], match: (path: string) => string, then: (path: string) => string): string =>
  paths.map((path) => `    "${match(path)}") ${then(path)} ;;`).join('\n');

/** @param program with all its commands loaded by the time of the action */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that lets a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(shells)))
    .action((shell: string) => {
      process.stdout.write(shells[shell]?.(wordsOf(program)) ?? '');
    });
}

/** By path of a command: its subcommands and options. */
function wordsOf(command: Command, path: readonly string[] = []): Map<string, readonly string[]> {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((each) => each.name()), ...options, '--help'];
  const below = command.commands.flatMap((each) => [...wordsOf(each, [...path, each.name()])]);
  return new Map([[path.join(' '), words], ...below]);
}
