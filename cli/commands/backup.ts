import type { Command } from 'commander';
import { backUp, restore } from '../../server/index.js';
import type { Environment } from '../environment.js';
import { note, plural, print } from '../output.js';

const MEBIBYTE = 1024 * 1024;

export function addBackup(program: Command, environment: Environment): void {
  program
    .command('backup')
    .description('write state, bars and results into one archive, also while the server runs')
    .argument('<file>', 'the archive to write, such as barline.tar')
    .action(async (file: string) => {
      const config = await environment.readServiceConfig();
      const { files } = await backUp(config, file, environment.version);
      const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
      print(`${plural(files.length, 'file')}, ${(bytes / MEBIBYTE).toFixed(1)} MiB, in ${file}`);
      note('it holds the secrets of the service: keep it as safe as the store');
      const { bucket } = config.BARLINE_OBJECTS ?? {};
      if (bucket !== undefined) note(`rows of experiments are in the bucket ${bucket}: back it up too`);
    });
}

export function addRestore(program: Command, environment: Environment): void {
  program
    .command('restore')
    .description('put an archive of `barline backup` into an empty home, and its state into DATABASE_URL if set')
    .argument('<file>', 'the archive')
    .option('--force', 'also into a home with files, which are moved aside, or a database with users')
    .action(async (file: string, { force = false }: { force?: boolean }) => {
      const config = await environment.readServiceConfig();
      const { manifest, formerContent } = await restore(config, file, force);
      const { files, createdAt, version } = manifest;
      print(`${plural(files.length, 'file')} of ${createdAt} (version ${version}) in ${config.BARLINE_HOME}`);
      if (formerContent !== null) note(`what the home held before is in ${formerContent}`);
    });
}
