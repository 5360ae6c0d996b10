import { writeFile } from 'node:fs/promises';
import { replaceFile } from '../data/files.js';
import { commandFor, findDefinition, type RunDefinition, runDefinitions } from '../research/sweep/index.js';
import { note } from './output.js';

/** The file of a strategy or portfolio that repeats a run. */
export const definitionText = ({ strategy, portfolio }: RunDefinition): string =>
  `${JSON.stringify(strategy ?? portfolio, null, 2)}\n`;

/** Writes the leader of a sweep to a file, the first of the runs as ranked, and says how to run it. */
export async function saveLeader(
  folder: string,
  ranked: readonly Readonly<Record<string, unknown>>[],
  { saveLeader: file, json }: { readonly saveLeader?: string; readonly json?: boolean },
): Promise<void> {
  if (file === undefined) return;
  const [leader] = ranked;
  if (leader === undefined) {
    note(`no run traded, so no leader is written to ${file}`);
    return;
  }
  const definition = await findDefinition([folder], String(leader.run_index));
  await replaceFile(file, (aside) => writeFile(aside, definitionText(definition)));
  if (json !== true) note(`run ${definition.run} written to ${file}; to repeat it: ${commandFor(definition, file)}`);
}

/** Ranked records, each with what its run was. */
export async function withDefinitions(
  folders: readonly string[],
  records: readonly Readonly<Record<string, unknown>>[],
): Promise<Record<string, unknown>[]> {
  if (records.length === 0) return [];
  const runs = [...new Set(records.map(({ run_index }) => Number(run_index)))];
  const found = await runDefinitions(folders, `run_index IN (${runs.join(', ')})`);
  return records.map((record) => {
    const definition = found.find(
      ({ run, experiment_id: id }) =>
        run === record.run_index && (record.experiment_id === undefined || record.experiment_id === id),
    );
    return { ...record, definition };
  });
}
