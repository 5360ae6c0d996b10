import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Argument, type Command, Option } from 'commander';

/**
 * What the help of `barline` says of a command. The build writes the list beside the bundle, so
 * that the help need not load the code of every command.
 */
interface ListedCommand {
  /** Name and arguments, such as `compare <runs...>`. */
  readonly usage: string;
  readonly description: string;
  readonly hasOptions: boolean;
}

const file = join(dirname(fileURLToPath(import.meta.url)), 'command-list.json');

/** The list as JSON, from a program with all commands. */
export const commandList = ({ commands }: Command): string =>
  JSON.stringify(
    commands.map((command): ListedCommand => {
      const place = (argument: Argument): string => {
        const text = `${argument.name()}${argument.variadic ? '...' : ''}`;
        return argument.required ? `<${text}>` : `[${text}]`;
      };
      return {
        usage: [command.name(), ...command.registeredArguments.map(place)].join(' '),
        description: command.description(),
        hasOptions: command.options.length > 0,
      };
    }),
  );

/** Adds the commands by name only. @returns false where no build wrote the list */
export function addListed(program: Command): boolean {
  let listed: readonly ListedCommand[];
  try {
    listed = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
  for (const { usage, description, hasOptions } of listed) {
    const command = program.command(usage).description(description);
    if (hasOptions) command.addOption(new Option('--any').hideHelp());
  }
  return true;
}
