import type { Edit } from '../../crash/tree-copy.js';

/** The calendar month that is counted, as a method of its own. */
export const endpoint: readonly Edit[] = [
  {
    file: 'service/usage/capability.ts',
    after: '  async listTiers() {\n    return { tiers: this.#parts.tiers.all.map(toTier) };\n  }\n',
    text: `
  async countedMonth({ orgId }: Caller, { prefix = '' }: { readonly prefix?: string }) {
    const { month } = await this.#parts.quotas.month(orgId);
    return { month: prefix + month };
  }
`,
  },
  {
    file: 'protos/barline/v1/usage.proto',
    after: '{get: "/api/v1/users/me/metrics"};\n    option (barline.method) = {access: CREDENTIAL};\n  }\n',
    text: `
  // The month that is counted.
  rpc GetMonth(MonthRequest) returns (Month) {
    option (google.api.http) = {get: "/api/v1/usage/month"};
    option (barline.method) = {access: CREDENTIAL};
  }
`,
  },
  {
    file: 'protos/barline/v1/usage.proto',
    after: '{get: "/api/v1/usage/month"};\n    option (barline.method) = {access: CREDENTIAL};\n  }\n}\n',
    text: `
message MonthRequest {
  // Put before the month, default empty.
  optional string prefix = 1;
}

message Month {
  // 2024-01.
  string month = 1;
}
`,
  },
  {
    file: 'service/usage/capability.ts',
    after: "      'Usage.GetUtilization': (_, { caller }) => usage.getUtilization(caller),\n",
    text: "      'Usage.GetMonth': (request, { caller }) => usage.countedMonth(caller, request),\n",
  },
  {
    file: 'test/contract/cases/usage.ts',
    after: 'const none = { used: 0, limit: null };\n',
    text: `
contract('the month that is counted is told, with a prefix, to a caller with a credential', async ({ api }) => {
  const { month } = (await api.call('Usage.GetMonth')).body;
  assert.match(month, /^20\\d\\d-(0\\d|1[0-2])$/);
  assert.equal((await api.call('Usage.GetMonth', { prefix: 'm' })).body.month, 'm' + month);
  assert.equal((await api.call('Usage.GetMonth', {}, { token: null })).code, 'AUTH_REQUIRED');
});
`,
  },
];
