import type { Command } from 'commander';
import { terminalWidth, wrapped } from './output.js';

/** Examples for the help of each command, by its path. */
const examples: Readonly<Record<string, readonly string[]>> = {
  '': ['barline demo', 'barline backtest --strategy examples/dip.json --interval 1h', 'barline help sharpe ratio'],
  backtest: [
    'barline backtest --strategy examples/btc-trend.json --interval 4h --start 2024-01-01',
    'barline backtest --strategy examples/dip.json --interval 1h --report run.html',
    'barline backtest --strategy examples/daily-trend.json --interval 1d --asset all',
  ],
  portfolio: [
    'barline portfolio examples/portfolio-three-majors.json --start 2021-01-01',
    'barline portfolio examples/rotation.json --equity equity.csv',
  ],
  audit: [
    'barline audit --strategy examples/btc-trend.json --interval 4h',
    'barline audit --portfolio examples/rotation.json --start 2023-01-01',
    "barline audit --masks examples/masks/requests.json --masks-command 'node examples/masks/breakout.mjs'",
  ],
  replay: ['barline replay RUN'],
  compare: ['barline compare RUN OTHER_RUN'],
  sweep: [
    'barline sweep PLAN.json --top 10',
    'barline sweep examples/sweeps/rotations.json',
    'barline sweep --resume',
    'barline sweep PLAN.json --service http://127.0.0.1:5001',
  ],
  tries: ['barline tries', 'barline tries --json'],
  holdout: ['barline holdout list', 'barline holdout open --strategy LEADER.json --interval 1h'],
  'holdout list': ['barline holdout list'],
  'holdout show': ['barline holdout show BTC'],
  'holdout open': [
    'barline holdout open --strategy LEADER.json --interval 1h',
    'barline holdout open --portfolio LEADER.json',
  ],
  results: ['barline results --by sharpe_ratio --top 5', 'barline results "SELECT count(*) FROM results"'],
  simulate: ['barline simulate requests.json', 'cat requests.json | barline simulate -'],
  signals: ['barline signals list', 'barline signals show rsi_oversold'],
  'signals list': ['barline signals list --category momentum'],
  'signals show': ['barline signals show rsi_oversold'],
  'signals evaluate': ['barline signals evaluate --bars btc-1h.csv --requests requests.json'],
  data: ['barline data list', 'barline data import btc-1h.csv --asset BTC'],
  'data fetch': ['barline data fetch --exchange binance --asset BTC --interval 1h --start 2024-01-01'],
  'data list': ['barline data list'],
  'data check': ['barline data check'],
  'data columns': ['barline data columns list'],
  'data columns add': ['barline data columns add scores.csv --asset BTC --time day --period 1d'],
  'data columns list': ['barline data columns list'],
  'data columns remove': ['barline data columns remove Score --asset BTC'],
  help: ['barline help rsi_oversold', 'barline help sharpe ratio', 'barline help RATE_LIMITED'],
  demo: ['barline demo'],
  serve: ['barline serve', 'barline serve --only http rpc'],
  worker: ['barline worker'],
  workbench: ['barline workbench', 'BARLINE_HTTP_PORT=8080 barline workbench'],
  dev: ['barline dev'],
  chat: ['barline chat'],
  mcp: [
    'barline mcp',
    'barline mcp --toolsets signals,backtests,knowledge',
    'BARLINE_API_KEY=local_... barline mcp --server 127.0.0.1:50051',
    'claude mcp add barline -- npx barline mcp',
  ],
  payments: ['barline payments --unsettled', 'barline payments --totals --json'],
  keys: ['barline keys list'],
  'keys create': ['barline keys create --email me@example.com --name laptop'],
  'keys list': ['barline keys list', 'barline keys list --json'],
  'keys revoke': ['barline keys revoke PREFIX'],
  key: ['barline key --email me@example.com'],
  backup: ['barline backup barline.tar'],
  restore: ['BARLINE_HOME=/srv/barline barline restore barline.tar', 'barline restore barline.tar --force'],
  config: ['barline config', 'BARLINE_HTTP_PORT=8080 barline config --json'],
  completion: ['source <(barline completion bash)', 'barline completion fish | source'],
  doctor: ['barline doctor', 'barline doctor --check'],
};

const INDENT = 2;

/** A command longer than the terminal goes on after a backslash, so that a shell still reads it. */
function continued(command: string): string[] {
  const lines = wrapped(`${' '.repeat(INDENT)}${command}`, terminalWidth());
  return lines.map((line, i) => (i < lines.length - 1 ? `${line} \\` : line));
}

/** Adds the examples to the help of `command` and of the commands below it. */
export function addExamples(command: Command, path: readonly string[] = []): void {
  const lines = examples[path.join(' ')];
  if (lines !== undefined) command.addHelpText('after', () => ['\nExamples:', ...lines.flatMap(continued)].join('\n'));
  for (const each of command.commands) addExamples(each, [...path, each.name()]);
}
