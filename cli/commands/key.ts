import type { Command } from 'commander';
import { makeOperatorKey } from '../../server/index.js';
import type { Environment } from '../environment.js';
import { note, print } from '../output.js';

export function addKey(program: Command, environment: Environment): void {
  program
    .command('key')
    .description('make an API key in the store of this machine, while no server has it open')
    .option('--email <address>', 'whose key it is', 'operator@localhost')
    .option('--name <text>', 'name of the key', 'operator')
    .action(async ({ email, name }: { email: string; name: string }) => {
      print(await makeOperatorKey(await environment.readServiceConfig(), email, name));
      note('shown only now: only its hash is kept');
    });
}
