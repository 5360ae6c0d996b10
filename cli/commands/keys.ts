import type { Command } from 'commander';
import { createKey, listKeys, revokeKey } from '../../server/index.js';
import type { Environment } from '../environment.js';
import { headedTable, note, print, printJson } from '../output.js';

export function addKeys(program: Command, environment: Environment): void {
  const keys = program
    .command('keys')
    .description('make, list and revoke API keys in the store of this machine, also while the server runs');
  addCreate(keys.command('create').description('create an API key'), environment);
  keys
    .command('list')
    .description('list the keys of all users, newest first')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const listed = await listKeys(await environment.readServiceConfig());
      if (json) return printJson(listed);
      const rows = listed.map((key) => [
        key.key_id,
        key.key_prefix,
        key.email,
        key.name,
        key.created_at,
        key.revoked_at === null ? 'active' : `revoked ${key.revoked_at}`,
      ]);
      for (const line of headedTable([['id', 'prefix', 'owner', 'name', 'created', 'status'], ...rows])) print(line);
    });
  keys
    .command('revoke')
    .description('revoke a key for good, at once in every process')
    .argument('<key>', 'its id or its prefix')
    .action(async (key: string) => {
      const { key_prefix: prefix, name, email } = await revokeKey(await environment.readServiceConfig(), key);
      print(`revoked ${prefix}... (${name}) of ${email}`);
    });
}

/** The short form of `keys create`. */
export function addKey(program: Command, environment: Environment): void {
  addCreate(program.command('key').description('create an API key: the short form of keys create'), environment);
}

function addCreate(command: Command, environment: Environment): void {
  command
    .option('--email <address>', 'owner of the key', 'operator@localhost')
    .option('--name <text>', 'name of the key', 'operator')
    .action(async ({ email, name }: { email: string; name: string }) => {
      print(await createKey(await environment.readServiceConfig(), email, name));
      note('shown only this once: the store keeps just its hash');
    });
}
