import type { Command } from 'commander';
import type { Environment } from './environment.js';

type AddCommand = (program: Command, environment: Environment) => void;

/** The order in which the help lists the commands. */
export const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  backtest: async () => (await import('./commands/backtest.js')).addBacktest,
  portfolio: async () => (await import('./commands/portfolio.js')).addPortfolio,
  audit: async () => (await import('./commands/audit.js')).addAudit,
  replay: async () => (await import('./commands/replay.js')).addReplay,
  compare: async () => (await import('./commands/compare.js')).addCompare,
  sweep: async () => (await import('./commands/sweep.js')).addSweep,
  tries: async () => (await import('./commands/tries.js')).addTries,
  holdout: async () => (await import('./commands/holdout.js')).addHoldout,
  results: async () => (await import('./commands/results.js')).addResults,
  simulate: async () => (await import('./commands/simulate.js')).addSimulate,
  signals: async () => (await import('./commands/signals.js')).addSignals,
  data: async () => (await import('./commands/data.js')).addData,
  demo: async () => (await import('./commands/demo.js')).addDemo,
  serve: async () => (await import('./commands/serve.js')).addServe,
  worker: async () => (await import('./commands/serve.js')).addWorker,
  workbench: async () => (await import('./commands/workbench.js')).addWorkbench,
  dev: async () => (await import('./commands/dev.js')).addDev,
  chat: async () => (await import('./commands/chat.js')).addChat,
  mcp: async () => (await import('./commands/mcp.js')).addMcp,
  payments: async () => (await import('./commands/payments.js')).addPayments,
  keys: async () => (await import('./commands/keys.js')).addKeys,
  key: async () => (await import('./commands/keys.js')).addKey,
  backup: async () => (await import('./commands/backup.js')).addBackup,
  restore: async () => (await import('./commands/backup.js')).addRestore,
  config: async () => (await import('./commands/config.js')).addConfig,
  completion: async () => (await import('./commands/completion.js')).addCompletion,
  help: async () => (await import('./commands/help.js')).addHelp,
  doctor: async () => (await import('./commands/doctor.js')).addDoctor,
};
