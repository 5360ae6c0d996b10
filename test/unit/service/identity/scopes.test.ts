import assert from 'node:assert/strict';
import test from 'node:test';
import { endpointOf, type MethodName, methodNames } from '../../../../contract/index.js';
import { documentedRoutes } from '../../../../http/index.js';
import type { Caller, Role } from '../../../../service/caller.js';
import { authorise, scopes } from '../../../../service/identity/index.js';
import { effectiveScopes, mintedScopes } from '../../../../service/identity/scopes.js';

const methods = methodNames;
const requirement = (method: MethodName): string => endpointOf(method).access;

const callerOf = (changes: Partial<Caller>): Caller => ({
  userId: 'u',
  orgId: 'o',
  role: 'member',
  tier: 'local',
  credential: 'key',
  credentialId: 'k',
  scopes: [],
  ...changes,
});

/** The code with which a call is refused, null where it is admitted. */
function refusal(caller: Caller | null, method: MethodName): string | null {
  try {
    authorise(caller, method);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const published: Readonly<Record<string, string>> = {
  'POST /strategies': 'strategy:create',
  'GET /strategies': 'strategy:read',
  'GET /strategies/{strategy_id}': 'strategy:read',
  'PUT /strategies/{strategy_id}': 'strategy:update_status',
  'PATCH /strategies/{strategy_id}/status': 'strategy:update_status',
  'PATCH /strategies/{strategy_id}/execution-state': 'strategy:update_status',
  'DELETE /strategies/{strategy_id}': 'strategy:delete',
  'POST /execution/evaluate/{strategy_id}': 'strategy:read',
  'POST /execution/evaluate': 'strategy:read',
  'POST /execution/evaluate/bulk': 'strategy:read',
  'GET /execution/portfolio': 'strategy:read',
  'GET /execution/accounts': 'position:read',
  'GET /execution/positions': 'position:read',
  'GET /execution/trades': 'position:read',
  'POST /execution/accounts': 'position:create',
  'POST /backtesting/backtest': 'backtest:create',
  'POST /backtesting/backtest/bulk': 'backtest:create',
  'GET /backtesting/backtest/{id}': 'backtest:read',
  'GET /signals': 'signal:read',
  'GET /signals/{signal_name}': 'signal:read',
  'POST /signals/evaluate': 'signal:evaluate',
  'POST /oracle/data/query': 'data:query',
  'GET /oracle/results': 'oracle:read',
  'POST /auth/login': 'public',
  'POST /auth/refresh': 'public',
  'PUT /auth/profile': 'identity:manage',
  'DELETE /auth/api-keys/{key_id}': 'identity:manage',
  'GET /config/trading-defaults': 'public',
  'GET /config/execution-defaults': 'public',
  'POST /auth/api-keys': 'session',
  'POST /auth/allowlist/emails': 'management',
  'DELETE /auth/allowlist/emails/{email}': 'management',
};

test('published endpoints require the published scopes', () => {
  const table = Object.fromEntries(
    methods.flatMap((method) => documentedRoutes(method).map((endpoint) => [endpoint, requirement(method)])),
  );
  for (const [endpoint, requires] of Object.entries(published)) assert.equal(table[endpoint], requires, endpoint);
});

test('without a caller only public methods can be called', () => {
  for (const method of methods) {
    assert.equal(refusal(null, method), requirement(method) === 'public' ? null : 'AUTH_REQUIRED', method);
  }
});

test('a key with one scope can call the methods of that scope and those that need none', () => {
  for (const scope of scopes) {
    for (const method of methods) {
      const requires = requirement(method);
      const expected =
        requires === 'session'
          ? 'PERMISSION_DENIED'
          : requires.includes(':') && requires !== scope
            ? 'INSUFFICIENT_PERMISSIONS'
            : null;
      assert.equal(refusal(callerOf({ scopes: [scope] }), method), expected, `${scope} ${method}`);
    }
  }
});

test('without a list of scopes the role decides: viewers read, others may do everything; a login manages its own', () => {
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
    for (const method of methods) {
      const requires = requirement(method);
      const isDenied = role === 'viewer' && requires.includes(':') && !requires.endsWith(':read');
      const ofKey = requires === 'session' ? 'PERMISSION_DENIED' : isDenied ? 'INSUFFICIENT_PERMISSIONS' : null;
      assert.equal(refusal(callerOf({ role }), method), ofKey, `key of ${role} ${method}`);
      const ofLogin = isDenied && requires !== 'identity:manage' ? 'INSUFFICIENT_PERMISSIONS' : null;
      assert.equal(refusal(callerOf({ role, credential: 'session' }), method), ofLogin, `${role} ${method}`);
    }
  }
});

/** What a key can do that a user of one role minted and a user of another role uses. */
const canDo = (asked: readonly string[], mintedAs: Role, role: Role): readonly string[] => {
  const caller = callerOf({ role, scopes: effectiveScopes(mintedScopes(asked, mintedAs).scopes, mintedAs) });
  return methods.filter((method) => requirement(method).includes(':') && refusal(caller, method) === null);
};
const needing = (...wanted: string[]) => methods.filter((method) => wanted.includes(requirement(method)));
const reading = scopes.filter((scope) => scope.endsWith(':read'));

test('a viewer receives reading scopes only, regardless of the request', () => {
  const minted = { scopes: ['strategy:read'], withheld: ['strategy:create'], warnings: [] };
  assert.deepEqual(mintedScopes(['strategy:create', 'strategy:read'], 'viewer'), minted);
  assert.deepEqual(canDo(['strategy:create', 'strategy:read'], 'viewer', 'viewer'), needing('strategy:read'));
  assert.deepEqual(canDo([], 'viewer', 'viewer'), needing(...reading));
});

test('a viewer who asks only for write scopes gets no key at all', () => {
  assert.throws(() => mintedScopes(['strategy:create'], 'viewer'), {
    code: 'INSUFFICIENT_PERMISSIONS',
    message: 'The role viewer may have only reading scopes, asked for: strategy:create',
  });
});

test('a stored key that grants nothing continues to grant nothing', () => {
  const caller = callerOf({ role: 'owner', scopes: effectiveScopes(['none:read'], 'viewer') });
  const mayCall = methods.filter((method) => requirement(method).includes(':') && refusal(caller, method) === null);
  assert.deepEqual(mayCall, []);
});

test('unknown scopes are kept and grant nothing', () => {
  const asked = ['read:strategies', 'strategy:*', '*', 'strategy', 'STRATEGY:READ', 'constructor', '__proto__'];
  const { warnings, ...minted } = mintedScopes(asked, 'member');
  assert.deepEqual(minted, { scopes: asked, withheld: [] });
  assert.equal(warnings.length, asked.length);
  assert.match(warnings[0] ?? '', /^scopes: "read:strategies" is no scope .*, did you mean strategy:read\?$/);
  assert.deepEqual(canDo(asked, 'member', 'owner'), []);
});

test('a later role does not change the scopes of a key', () => {
  assert.deepEqual(canDo(['strategy:create'], 'member', 'viewer'), needing('strategy:create'));
  assert.deepEqual(canDo(['strategy:read', 'strategy:create'], 'viewer', 'owner'), needing('strategy:read'));
});
