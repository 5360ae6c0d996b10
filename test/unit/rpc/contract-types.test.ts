import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import ts from 'typescript';
import { root } from '../../support/tree.js';

/**
 * Code that the types of the contract refuse. The two of each pair differ in one thing: the first
 * must compile, the second must not.
 */
const pairs: readonly [what: string, right: string, wrong: string][] = [
  ['the name of a method', `client.call('Strategies.List', {})`, `client.call('Strategies.Lst', {})`],
  ['the name of a service', `client.call('Usage.Get', {})`, `client.call('Usages.Get', {})`],
  [
    'a field of a request',
    `client.call('Strategies.Get', { strategy_id: 'x' })`,
    `client.call('Strategies.Get', { id: 'x' })`,
  ],
  [
    'the type of a field',
    `client.call('Strategies.List', { limit: 1 })`,
    `client.call('Strategies.List', { limit: '1' })`,
  ],
  ['a stream is no single answer', `client.stream('Deployed.Stream', {})`, `client.call('Deployed.Stream', {})`],
  ['a single answer is no stream', `client.call('Usage.Get', {})`, `client.stream('Usage.Get', {})`],
  [
    'a field of a reply',
    `client.call('Webhooks.List', {}).then(({ body }) => body.total)`,
    `client.call('Webhooks.List', {}).then(({ body }) => body.count)`,
  ],
  [
    'an optional field of a reply is null where it is unset',
    `client.call('Strategies.Get', {}).then(({ body }): string | null => body.strategy.description)`,
    `client.call('Strategies.Get', {}).then(({ body }): string => body.strategy.description)`,
  ],
  [
    'null of JSON is a value, and may be sent',
    `const request: Received<'Experiments.Create'>['config'] = null`,
    `const request: Received<'Strategies.Create'>['name'] = null`,
  ],
  [
    'an optional field of a request may be absent',
    `const name: string | undefined = received('Strategies.Create').name`,
    `const name: string = received('Strategies.Create').name`,
  ],
  [
    'a table has every method',
    `const all: HandlersOf<'Webhooks'> = table`,
    `const all: HandlersOf<'Webhooks'> = partial`,
  ],
  [
    'a table has no other method',
    `const all: HandlersOf<'Webhooks'> = { ...table, 'Webhooks.Test': table['Webhooks.Test'] }`,
    `const all: HandlersOf<'Webhooks'> = { ...table, 'Webhooks.Tset': table['Webhooks.Test'] }`,
  ],
  [
    'a handler reads what its request has',
    `const one: HandlersOf<'Usage'>['Usage.Get'] = async (_, { caller }) => usage.get(caller)`,
    `const one: HandlersOf<'Usage'>['Usage.Get'] = async ({ month }, { caller }) => usage.get(caller)`,
  ],
  [
    'a handler answers all that is not optional',
    `const one: HandlersOf<'Strategies'>['Strategies.Delete'] = async () => ({ message: 'gone' })`,
    `const one: HandlersOf<'Strategies'>['Strategies.Delete'] = async () => ({ mesage: 'gone' })`,
  ],
  [
    'a route names a method',
    `const route: Route = { ...get, rpc: 'Usage.Get' }`,
    `const route: Route = { ...get, rpc: 'Usage.Got' }`,
  ],
  [
    'a route shows what its reply has',
    `const route: Route = { ...get, rpc: 'Webhooks.List', toJson: ({ total }) => total }`,
    `const route: Route = { ...get, rpc: 'Webhooks.List', toJson: ({ count }) => count }`,
  ],
  [
    'a route of a stream has frames',
    `const route: Route = { ...get, rpc: 'Deployed.Stream', toFrames: () => [] }`,
    `const route: Route = { ...get, rpc: 'Deployed.Stream' }`,
  ],
  ['a path is asked of a method', `pathOfMethod('Usage.Get')`, `pathOfMethod('/usage')`],
  [
    'a meter is of a method',
    `const meters: MethodMeters = { 'Batch.Run': 'oracle_backtest' }`,
    `const meters: MethodMeters = { 'Batch.Go': 'oracle_backtest' }`,
  ],
];

const head = `
import { pathOfMethod } from '../../../http/index.js';
import type { Route, RouteOf } from '../../../http/route.js';
import type { HandlersOf, MethodName, ReceivedOf as Received, RpcClient, UnaryName } from '../../../rpc/index.js';
import type { MethodMeters } from '../../../service/access/index.js';
import type { Usage } from '../../../service/usage/index.js';
declare const client: RpcClient;
declare const usage: Usage;
declare const table: HandlersOf<'Webhooks'>;
declare const partial: Omit<HandlersOf<'Webhooks'>, 'Webhooks.Test'>;
declare const get: Omit<RouteOf<UnaryName>, 'rpc' | 'toRequest'>;
declare function received<M extends MethodName>(name: M): Received<M>;
`;

/** Beside the declarations of the compiled tree. */
const folder = join(root, 'dist/test/unit');
const fileOf = (i: number, kind: string): string => join(folder, `snippet-${i}-${kind}.ts`);
const snippets = new Map(
  pairs.flatMap(([, right, wrong], i) => [
    [fileOf(i, 'right'), `${head}${right};\n`],
    [fileOf(i, 'wrong'), `${head}${wrong};\n`],
  ]),
);

const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
const host = ts.createCompilerHost(options);
const { fileExists, readFile } = host;
host.fileExists = (path) => snippets.has(path) || fileExists(path);
host.readFile = (path) => snippets.get(path) ?? readFile(path);
const checked = { ...options, noEmit: true, noUnusedLocals: false, noUnusedParameters: false };
const program = ts.createProgram([...snippets.keys()], checked, host);

function errorsOf(path: string): string[] {
  const source = program.getSourceFile(path);
  assert.ok(source);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}

for (const [i, [what]] of pairs.entries()) {
  test(`the compiler rejects: ${what}`, () => {
    assert.deepEqual(errorsOf(fileOf(i, 'right')), []);
    assert.ok(errorsOf(fileOf(i, 'wrong')).length > 0, snippets.get(fileOf(i, 'wrong'))?.slice(head.length));
  });
}
