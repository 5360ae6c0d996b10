import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parse } from 'yaml';
import { STOP_MS, serviceParts } from '../../../server/start.js';
import { listSettings, readServiceConfig } from '../../../service/settings/config.js';
import { root } from '../../support/tree.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const known = new Set(listSettings({}).map(({ name }) => name));
const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string | number>>;
        readonly volumes?: readonly string[];
        readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
        readonly healthcheck?: object;
        readonly build?: string;
        readonly user?: string;
        readonly read_only?: boolean;
        readonly tmpfs?: readonly string[];
        readonly cap_drop?: readonly string[];
        readonly cap_add?: readonly string[];
        readonly security_opt?: readonly string[];
        readonly privileged?: boolean;
        readonly pids_limit?: number;
        readonly ulimits?: { readonly nofile?: number };
        readonly mem_limit?: string;
        readonly cpus?: number;
        readonly stop_grace_period?: string;
        readonly ports?: readonly string[];
      }
    >
  >;
  readonly volumes: Readonly<Record<string, null>>;
}

const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const { jobs } = parse(read('.github/workflows/ci.yml')) as {
  jobs: { run: { strategy: { matrix: { node: number[] } }; steps: { run?: string; uses?: string }[] } };
};
const tested = jobs.run.strategy.matrix.node;
const secret = 'x'.repeat(40);
/** As compose fills it in, from an environment with the secrets only. */
const filled = (value: string | number): string =>
  String(value).replace(/\$\{(\w+)(?::?([-?])([^}]*))?\}/g, (_, _name, kind, text) => (kind === '-' ? text : secret));

test('compose starts parts of the service that exist, with settings that the service accepts', () => {
  const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'barline');
  assert.deepEqual(ours.map(([name]) => name).sort(), ['api', 'worker']);
  for (const [name, { environment = {}, command = [], depends_on: needs = {} }] of ours) {
    assert.deepEqual(
      Object.keys(environment).filter((variable) => !known.has(variable)),
      [],
      name,
    );
    const settings = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)]));
    const config = readServiceConfig(settings);
    assert.equal(new URL(config.DATABASE_URL ?? '').hostname, 'postgres');
    assert.equal(new URL(config.REDIS_URL ?? '').hostname, 'redis');
    for (const needed of Object.keys(needs)) assert.ok(compose.services[needed]?.healthcheck !== undefined, needed);
    const [first = '', ...rest] = command;
    assert.ok(['serve', 'worker'].includes(first), first);
    const parts = rest.filter((part) => part !== '--only');
    assert.deepEqual(
      parts.filter((part) => !(serviceParts as readonly string[]).includes(part)),
      [],
    );
  }
});

const seconds = (text = ''): number => Number(/^(\d+)s$/.exec(text)?.[1]);

test('no container of compose has rights or room without an end', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    assert.deepEqual([service.cap_drop, service.cap_add], [['ALL'], undefined], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    assert.deepEqual([service.read_only, service.privileged], [true, undefined], name);
    // Ours names its user in the Dockerfile.
    assert.ok(service.build === '.' || (service.user !== undefined && service.user !== 'root'), name);
    assert.match(service.mem_limit ?? '', /^\d+[mg]$/, name);
    const { cpus = 0, pids_limit: pids = 0, ulimits: { nofile = 0 } = {}, ports = [] } = service;
    for (const limit of [cpus, pids, nofile]) assert.ok(limit > 0, name);
    assert.deepEqual(
      ports.filter((port) => !port.startsWith('127.0.0.1:')),
      [],
      name,
    );
  }
});

test('a container of ours gets longer to stop than its process takes, and as many threads as processors', () => {
  for (const [name, { build, environment = {}, stop_grace_period: grace, cpus }] of Object.entries(compose.services)) {
    if (build === undefined) continue;
    const stopMs = Number(environment.BARLINE_DRAIN_MS ?? 0) + STOP_MS;
    assert.ok(seconds(grace) * 1_000 >= stopMs + 2_000, `${name}: ${grace} for ${stopMs} ms`);
    assert.deepEqual([environment.BARLINE_THREADS, environment.BARLINE_SWEEP_THREADS], [cpus, cpus], name);
  }
});

const dockerfile = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [instruction = '', ...rest] = line.trim().split(/\s+/);
    return { instruction, rest };
  });
const lastStage = dockerfile.slice(dockerfile.findLastIndex(({ instruction }) => instruction === 'FROM'));

test('the image sets variables of the service, copies what exists, and has the newest Node that is tested', () => {
  const variables = dockerfile
    .filter(({ instruction }) => instruction === 'ENV')
    .flatMap(({ rest }) => rest.map((pair) => pair.split('=')[0] ?? ''));
  assert.ok(variables.includes('BARLINE_HOME'));
  assert.deepEqual(
    variables.filter((name) => name !== 'NODE_ENV' && !known.has(name)),
    [],
  );
  for (const { rest } of dockerfile.filter(({ instruction }) => instruction === 'COPY')) {
    const isOfStage = rest.some((word) => word.startsWith('--from='));
    const sources = rest.filter((word) => !word.startsWith('--')).slice(0, -1);
    if (!isOfStage) for (const source of sources) assert.ok(existsSync(join(root, source)), source);
  }
  const [node, ...others] = new Set(
    dockerfile.flatMap(({ instruction, rest }) => (instruction === 'FROM' ? [rest[0]] : [])),
  );
  assert.deepEqual(others, [], 'one image for all stages');
  const version = Number(/^node:(\d+)-bookworm-slim$/.exec(node ?? '')?.[1]);
  assert.ok(tested.includes(version) && version === Math.max(...tested), `Node ${version}`);
  assert.match(engines.node, new RegExp(`^>=${read('.nvmrc').trim()}\\.`));
});

test('the image runs as another user than root, and checks its health at a path that the service serves', () => {
  const of = (name: string) =>
    lastStage.filter(({ instruction }) => instruction === name).map(({ rest }) => rest.join(' '));
  assert.deepEqual(of('USER'), ['node']);
  assert.match(of('HEALTHCHECK')[0] ?? '', /'\/ready'/);
  const named = [...(of('HEALTHCHECK')[0] ?? '').matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name ?? '');
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
  assert.deepEqual(of('ENTRYPOINT'), ['["node", "/app/dist/bundle/barline.js"]']);
});
