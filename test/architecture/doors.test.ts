import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { indicatorFunctions } from '../../engine/indicators/functions.js';
import { root } from '../support/tree.js';

/** What users of the package can import. A name that goes, or one that slips in, shows here. */

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const values: Readonly<Record<string, readonly string[]>> = {
  barline: [
    ...['EngineError', 'auditAssets', 'backtestAssets', 'defineSignal', 'loadBars', 'runBacktest', 'runPortfolio'],
    ...['runPortfolioSweep', 'runSweep', 'startLive'],
    ...[...indicatorFunctions.keys()].map(camel),
  ],
  'barline/data': ['importBars', 'listBars', 'loadBars', 'writeBars'],
  'barline/report': ['COMPARED_RUNS_MAX', 'renderComparison', 'renderPortfolio', 'renderSweep', 'renderTearSheet'],
  'barline/client': ['connectGrpc', 'createRestClient'],
};

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
};

test('the package has these doors and no other', () => {
  const doors = Object.keys(values).map((name) => name.replace('barline', '.'));
  assert.deepEqual(Object.keys(exports).sort(), [...doors, './package.json'].sort());
});

for (const [door, names] of Object.entries(values)) {
  test(`${door} exports exactly its list`, async () => {
    const path = exports[door.replace('barline', '.')] as { types: string; default: string };
    const loaded = (await import(join(root, path.default))) as object;
    assert.deepEqual(Object.keys(loaded).sort(), [...names].sort());
  });
}

const types: Readonly<Record<string, readonly string[]>> = {
  index: [
    ...['Answers', 'AuditFinding', 'AuditOptions', 'AuditReport', 'Backtest', 'BacktestOptions', 'BacktestResult'],
    ...['BacktestTrade', 'BarColumnsInput', 'BarIndicator', 'BarRow', 'Bars', 'BarsSource', 'ClosedBar'],
    ...['ColumnIndicator', 'DenialReason', 'EngineCode', 'ExecutionConfig', 'ExecutionSettings', 'FileBarsSource'],
    ...['FurtherBars', 'HeldBarsSource', 'HomeOptions', 'IndicatorStream', 'LiveAccount', 'LiveEvent', 'LiveHeld'],
    ...['LiveOptions', 'LiveOrder', 'LivePosition', 'LiveRun', 'LiveSkill', 'LiveWorkingOrder'],
    ...[
      'LiveStep',
      'MemoryBarsSource',
      'NumberColumn',
      'OwnSignal',
      'Position',
      'RuleList',
      'RunDefinition',
      'SignalBars',
    ],
    ...['SignalDefinition'],
    ...['SignalParam', 'SignalParams', 'Strategy', 'StrategyRule', 'Sweep', 'SweepOptions', 'SweepProgress'],
    ...['SweepRow', 'Trade', 'Allocation', 'Portfolio', 'PortfolioBacktest', 'PortfolioMember', 'PortfolioOptions'],
    ...['PortfolioAuditReport', 'PortfolioAxis', 'PortfolioResult', 'PortfolioSweep', 'PortfolioSweepOptions'],
    ...['PortfolioSweepPlan', 'AcrossAssets', 'AssetAudits', 'AssetsOptions', 'AuditAssetsOptions'],
    ...['BacktestAssetsOptions'],
  ],
  data: [
    ...['BarColumnsInput', 'BarRow', 'Bars', 'BarsSource', 'FileBarsSource', 'HeldBarsSource', 'HeldSeries'],
    ...['HomeOptions', 'ImportOptions', 'ImportedBars', 'MemoryBarsSource'],
  ],
  report: ['PortfolioSheet', 'SweepSheet', 'TearSheet'],
  client: [
    ...['GrpcClient', 'GrpcOptions', 'GrpcReply', 'MethodName', 'ReplyOf', 'RequestOf', 'RestClient', 'RestOptions'],
    ...['StreamName', 'UnaryName', 'components', 'paths'],
  ],
};

for (const [file, names] of Object.entries(types)) {
  test(`library/${file} exports exactly these types`, () => {
    const text = readFileSync(join(root, `library/${file}.ts`), 'utf8');
    const lists = [...text.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, all, list = '']) =>
      list.split(',').flatMap((item) => {
        const one = item.trim();
        return all !== undefined ? [one] : one.startsWith('type ') ? [one.slice(5)] : [];
      }),
    );
    const declared = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name);
    assert.deepEqual([...lists, ...declared].filter((name) => name !== '').sort(), [...names].sort());
  });
}
