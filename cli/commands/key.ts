import type { Command } from 'commander';
import { openState } from '../../data/state/index.js';
import { mintOperatorKey } from '../../server/operator-key.js';
import type { Environment } from '../environment.js';
import { note, print } from '../output.js';

export function addKey(program: Command, environment: Environment): void {
  program
    .command('key')
    .description('make an API key in the store of this machine, while no server has it open')
    .option('--email <address>', 'whose key it is', 'operator@localhost')
    .option('--name <text>', 'name of the key', 'operator')
    .action(async ({ email, name }: { email: string; name: string }) => {
      const config = await environment.readServiceConfig();
      const state = await openState({ home: config.BARLINE_HOME, databaseUrl: config.DATABASE_URL });
      try {
        const { key } = await mintOperatorKey(state, config, email, name);
        print(key);
        note('shown only now: only its hash is kept');
      } finally {
        await state.close();
      }
    });
}
