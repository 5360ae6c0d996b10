import type { Command } from 'commander';
import { simulateRequests } from '../../research/index.js';
import { readJson } from '../inputs.js';
import { progress } from '../progress.js';

export function addSimulate(program: Command): void {
  program
    .command('simulate')
    .description('simulate requests with explicit bars and entry/exit masks or a strategy; prints JSON keyed by id')
    .argument('<file>', 'JSON array of {id, interval, first?, bars, masks | strategy, config} (- for standard input)')
    .option('--json', 'accepted for consistency: the output is always JSON')
    .action(async (file: string) => {
      const requests = await readJson(file, 'requests');
      const bar = progress(Array.isArray(requests) ? requests.length : 0, 'simulating');
      let answers: ReturnType<typeof simulateRequests>;
      try {
        answers = simulateRequests(requests, () => bar.step());
      } finally {
        bar.stop();
      }
      // Built by hand: an id such as `__proto__` would not become a key of a plain object.
      const entries = [...answers].map(([id, answer]) => `${JSON.stringify(id)}:${JSON.stringify(answer)}`);
      process.stdout.write(`{${entries.join(',\n')}}\n`);
    });
}
