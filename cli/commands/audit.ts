import type { Command } from 'commander';
import { EngineError } from '../../engine/errors.js';
import { type AssetAudits, type AuditReport, auditAssets, auditBacktest } from '../../research/backtest/index.js';
import { auditMaskRequests, type MasksReport } from '../../research/index.js';
import { auditPortfolio, type PortfolioAuditReport } from '../../research/portfolio/index.js';
import { shareText } from '../across-view.js';
import type { Environment } from '../environment.js';
import { parseWhole, readJson, requireOption } from '../inputs.js';
import { CheckFailed, count, headedTable, money, percent, plural, print, printJson } from '../output.js';
import { readPortfolioRequest } from '../portfolio-file.js';
import { progress } from '../progress.js';
import {
  addRefusalOption,
  addRunOptions,
  type RefusalOptions,
  type RunOptions,
  readRunRequest,
  readSeveral,
  refuseUnlessAllowed,
} from '../run-options.js';
import { openServices } from '../services.js';

interface Options extends RunOptions, RefusalOptions {
  readonly portfolio?: string;
  readonly cuts: string;
  readonly seed: string;
  readonly masks?: string;
  readonly masksCommand?: string;
  readonly json?: boolean;
}

const CUTS_MAX = 10_000;

export function addAudit(program: Command, environment: Environment): void {
  addRefusalOption(addRunOptions(program.command('audit'), true))
    .description('check that a strategy reads no future bars and does not depend on where its data begins')
    .option('--portfolio <file>', 'audit the portfolio of a JSON file instead: its members and its account')
    .option('--cuts <n>', 'number of random places at which the data is cut off', '20')
    .option('--seed <n>', 'seed that chooses those places', '42')
    .option(
      '--masks <file>',
      'audit masks made elsewhere instead: requests of `barline simulate` (- for standard input)',
    )
    .option('--masks-command <command>', 'shell command that makes these masks; it runs again on cut bars')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const cutCount = parseWhole(options.cuts, 'cuts', 1, CUTS_MAX);
      const seed = parseWhole(options.seed, 'seed', 0, Number.MAX_SAFE_INTEGER);
      if (options.masks !== undefined || options.masksCommand !== undefined) {
        return auditMasks(options, { cutCount, seed });
      }
      if (options.portfolio !== undefined) {
        const request = await readPortfolioRequest(options.portfolio, options);
        const report = await auditPortfolio(request, { cutCount, seed }, openServices(environment));
        return showPortfolioAudit(report, options);
      }
      const several = readSeveral(options);
      if (several !== null) {
        let bar: ReturnType<typeof progress> | undefined;
        const audits = await auditAssets(
          await readRunRequest(options),
          several,
          { cutCount, seed },
          openServices(environment),
          (total) => {
            bar ??= progress(total, 'assets');
            bar.step();
          },
        ).finally(() => bar?.stop());
        return showAudits(audits, options);
      }
      const report = await auditBacktest(await readRunRequest(options), { cutCount, seed }, openServices(environment));
      if (options.json) printJson(report);
      else printReport(report);
      if (!report.is_clean) throw new CheckFailed(`audit failed: ${plural(report.findings.length, 'finding')}`);
      refuseUnlessAllowed(report.refused, options);
    });
}

function showAudits(all: AssetAudits, options: Options): void {
  const { audits, left_out: leftOut } = all;
  if (options.json) printJson(all);
  else {
    const header = ['asset', 'bars', 'findings', 'largest drift', 'rules refused'];
    const rows = audits.map(({ asset, report: { bars, findings, drifts, refused } }) => {
      const drift = drifts.reduce((largest, { relative }) => Math.max(largest, relative), 0);
      return [
        ...[asset, count(bars), count(findings.length)],
        ...[drift === 0 ? 'none' : drift.toExponential(1), count(refused.length)],
      ];
    });
    for (const line of headedTable([header, ...rows], ['left', 'right', 'right', 'right', 'right'])) print(line);
    for (const { asset, report } of audits) {
      if (report.is_clean) continue;
      print();
      print(`${asset}:`);
      printReport(report);
    }
    for (const { asset, reason } of leftOut) print(`left out ${asset}: ${reason}`);
  }
  const unclean = audits.filter(({ report }) => !report.is_clean);
  const found = unclean.reduce((sum, { report }) => sum + report.findings.length, 0);
  if (found > 0)
    throw new CheckFailed(`audit failed: ${plural(found, 'finding')} on ${plural(unclean.length, 'asset')}`);
  const refused = audits.flatMap(({ asset, report }) => report.refused.map((rule) => `${asset}: ${rule}`));
  refuseUnlessAllowed(refused, options);
}

function showPortfolioAudit(report: PortfolioAuditReport, options: Options): void {
  const { members, findings, is_clean: isClean } = report;
  if (options.json) printJson(report);
  else {
    for (const line of portfolioAuditLines(report)) print(line);
    for (const { member, asset, report: own } of members) {
      print();
      print(`members[${member}] ${asset}:`);
      printReport(own);
    }
  }
  const found = members.reduce((sum, { report: own }) => sum + own.findings.length, findings.length);
  if (!isClean) throw new CheckFailed(`audit failed: ${plural(found, 'finding')}`);
  const refused = members.flatMap(({ member, report: own }) =>
    own.refused.map((rule) => `members[${member}]: ${rule}`),
  );
  refuseUnlessAllowed(refused, options);
}

async function auditMasks(options: Options, places: { readonly cutCount: number; readonly seed: number }) {
  for (const name of ['strategy', 'portfolio'] as const) {
    if (options[name] === undefined) continue;
    throw new EngineError('INVALID_FIELD', `--masks and --${name} exclude each other: audit one at a time`);
  }
  const requests = await readJson(requireOption('--masks', options.masks), 'requests');
  const reports = await auditMaskRequests(requests, { ...places, command: options.masksCommand ?? null });
  if (options.json) printJson(reports);
  else for (const report of reports) printMasks(report);
  const count = reports.reduce((sum, { findings }) => sum + findings.length, 0);
  if (count > 0) throw new CheckFailed(`audit failed: ${plural(count, 'finding')}`);
}

const maskExplanations = {
  'look-ahead': (cut: number) =>
    `changes when later bars are removed: it reads its future (with bars up to ${count(cut)})`,
  foresight: (cut: number) =>
    `goes along with the bar after it more than a rule could: it was made with that bar in view (over ${plural(cut, 'bar')})`,
  'not-reproduced': () => 'is not what the command makes of the same bars',
} as const;

function printMasks({ id, bars, cuts, findings, lag, timings, is_clean }: MasksReport): void {
  print(
    `${id}: ${plural(bars, 'bar')}, ${cuts === 0 ? 'never cut off' : `cut off at ${plural(cuts, 'random place')}`}`,
  );
  for (const { kind, mask, time, cut } of findings) {
    print(`${kind}: the ${mask} mask ${maskExplanations[kind](cut)} (first at ${time})`);
  }
  const { profit, laggedProfit, trades, laggedTrades } = lag;
  const change = `${money(profit)} in ${plural(trades, 'trade')} becomes ${money(laggedProfit)} in ${count(laggedTrades)}`;
  print(`${timings.length > 2 ? 'all' : 'both'} masks one bar later: a profit of ${change}`);
  if (!is_clean) return;
  if (profit > 0 && laggedProfit < profit / 4) {
    print('nearly all of the profit hangs on the newest bar of the masks: make sure that they are not one bar early');
  }
  if (cuts > 0) print('clean: the command made the same masks at these cuts');
  else print('not checked: what the masks read; --masks-command COMMAND makes them again from cut bars');
}

const explanations = {
  'look-ahead': 'changes when later bars are removed: it reads its future',
  'warm-up': 'changes with less history before it: it depends on where the data begins',
  'early-column': 'goes along with what the price does next: its values seem stamped with the start of their period',
} as const;

const places: Readonly<Record<keyof typeof explanations, (cut: number) => string>> = {
  'look-ahead': (cut) => `with bars up to ${count(cut)}`,
  'warm-up': (cut) => `with ${plural(cut, 'bar')} of history`,
  'early-column': (cut) => `over ${plural(cut, 'value')}`,
};

function printReport({ bars, cuts, histories, findings, drifts, lags, refused, is_clean }: AuditReport): void {
  const shortened =
    histories.length === 0
      ? 'no history to shorten'
      : `history shortened to ${histories.map(count).join(' and ')} bars`;
  print(`${plural(bars, 'bar')}, cut off at ${plural(cuts, 'random place')}; ${shortened}`);
  for (const { kind, what, time, cut } of findings) {
    if (what === 'stops') {
      print(`${kind}: a stop that moved reads the bar that hits it (first at ${time})`);
      continue;
    }
    print(`${kind}: ${what} ${explanations[kind]} (first at ${time}, ${places[kind](cut)})`);
  }
  for (const { what, historyBars, relative } of drifts) {
    const drift = relative === 0 ? 'nothing' : relative.toExponential(1);
    print(`drift of ${what} with ${plural(historyBars, 'bar')} of history: ${drift}`);
  }
  for (const { column, barsLate, profit, laggedProfit, trades, laggedTrades } of lags) {
    const change = `${money(profit)} in ${plural(trades, 'trade')} becomes ${money(laggedProfit)} in ${count(laggedTrades)}`;
    const later = barsLate === 1 ? 'one bar' : plural(barsLate, 'bar');
    print(`column ${column} ${later} later, as far as its values are apart: a profit of ${change}`);
  }
  for (const rule of refused) print(`not audited (rule refused): ${rule}`);
  if (!is_clean) return;
  print('clean: no rule and no closed trade changed at these cuts and histories');
  if (lags.length > 0) print('not checked: when the values of columns became known; only the times in the data say it');
}

/** What the audit of a portfolio says of its account; its members follow. */
function portfolioAuditLines({ times, cuts, findings, first_values, what_if, chance }: PortfolioAuditReport): string[] {
  const rows = what_if.map(({ change, profit, total_return, market_return, trades }) => [
    ...[change, money(profit), percent(total_return, 1), percent(market_return, 1), count(trades)],
  ]);
  return [
    `${plural(times, 'time')}, ${cuts === 0 ? 'never cut off' : `cut off at ${plural(cuts, 'random time')}`}`,
    ...findings.map(
      ({ kind, what, time, cut }) =>
        `${kind}: the ${what} ${what === 'trades' ? 'change' : 'changes'} when later bars are removed: the portfolio reads its future (first at ${time}, with bars up to ${cut})`,
    ),
    ...(findings.length === 0 && cuts > 0 ? ['clean: no account value and no closed trade changed at these cuts'] : []),
    ...(cuts === 0 ? ['not checked: the future of the account, as its members have no time together to cut at'] : []),
    ...first_values.map(
      ({ asset, rule, first_value, is_late }) =>
        `${asset}: ${rule} has ${first_value === null ? 'no value' : `its first value at ${first_value}`}${is_late ? '' : ', from the start on'}`,
    ),
    '',
    ...headedTable(
      [['what if', 'profit', 'return', 'held evenly', 'trades'], ...rows],
      ['left', 'right', 'right', 'right', 'right'],
    ),
    chance === null
      ? 'not asked: signals at other times, as nothing here decides when to trade'
      : `signals at other times: in ${shareText(chance.luck_p)} of ${count(chance.draws)} draws they return as much; their median is ${percent(chance.median_return, 1)}`,
  ];
}
