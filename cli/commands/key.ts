import type { Command } from 'commander';
import { makeOperatorKey } from '../../server/index.js';
import type { Environment } from '../environment.js';
import { note, print } from '../output.js';

export function addKey(program: Command, environment: Environment): void {
  program
    .command('key')
    .description('create an API key in the store of this machine; stop the server first')
    .option('--email <address>', 'owner of the key', 'operator@localhost')
    .option('--name <text>', 'name of the key', 'operator')
    .action(async ({ email, name }: { email: string; name: string }) => {
      print(await makeOperatorKey(await environment.readServiceConfig(), email, name));
      note('shown only this once: the store keeps just its hash');
    });
}
