import type { Command } from 'commander';
import { readLedger } from '../../server/index.js';
import type { Environment } from '../environment.js';
import { parseWhole } from '../inputs.js';
import { headedTable, plural, print, printJson } from '../output.js';

interface Options {
  readonly unsettled?: boolean;
  readonly totals?: boolean;
  readonly top: number;
  readonly json?: boolean;
}

const ROWS_MAX = 100_000;

export function addPayments(program: Command, environment: Environment): void {
  program
    .command('payments')
    .description('list what wallets paid for calls; stop the server first unless it uses DATABASE_URL')
    .option('--unsettled', 'only payments that are not paid, or not known to be')
    .option('--totals', 'sums by status and asset')
    .option(
      '--top <n>',
      'number of payments to print, newest first',
      (text) => parseWhole(text, 'top', 1, ROWS_MAX),
      50,
    )
    .option('--json', 'print JSON')
    .action(async ({ unsettled = false, totals = false, top, json = false }: Options) => {
      const ledger = await readLedger(await environment.readServiceConfig(), { limit: top, onlyUnsettled: unsettled });
      const rows = totals ? ledger.totals : ledger.payments;
      if (json) printJson(rows);
      else if (rows.length === 0) print(plural(0, 'payment'));
      else for (const line of totals ? totalLines(ledger) : paymentLines(ledger)) print(line);
    });
}

type Ledger = Awaited<ReturnType<typeof readLedger>>;

/** Amounts are atomic units of the asset, as in the ledger: its decimals are not stored. */
const paymentLines = ({ payments }: Ledger): string[] =>
  headedTable(
    [
      ['time', 'status', 'amount', 'method', 'payer', 'nonce', 'transaction or reason'],
      ...payments.map(({ created_at, status, amount, method, payer, nonce, transaction, last_error }) => [
        ...[created_at, status, amount, method, payer, nonce],
        transaction ?? last_error ?? '',
      ]),
    ],
    ['left', 'left', 'right'],
  );

const totalLines = ({ totals }: Ledger): string[] =>
  headedTable(
    [
      ['status', 'payments', 'amount', 'asset', 'network'],
      ...totals.map(({ status, count, amount, asset, network }) => [status, String(count), amount, asset, network]),
    ],
    ['left', 'right', 'right'],
  );
