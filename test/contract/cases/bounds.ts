import assert from 'node:assert/strict';
import test from 'node:test';
import { endpointOf, type FieldFacts, messageFacts } from '../../../contract/index.js';
import type { Route } from '../../../http/route.js';
import { routes } from '../../../http/routes.js';
import type { MethodName, UnaryName } from '../../../rpc/index.js';
import { type Answer, grpcApi } from '../../support/api.js';
import { exampleFor, senderOf } from '../../support/example-calls.js';
import { MANAGEMENT_KEY } from '../../support/service.js';

/**
 * The service keeps the bounds that the contract declares: the example of each method without one
 * required field, or with a field beyond its bound, is refused, and the refusal names the field.
 */

/** Fields of a page, or of a number of answers, that are moved into their bounds instead. */
const moved: Readonly<Partial<Record<MethodName, readonly string[]>>> = {
  'Backtests.History': ['limit', 'offset'],
  'Execution.ListPositions': ['skip', 'limit'],
  'Execution.ListTrades': ['skip', 'limit'],
  'Experiments.List': ['limit', 'offset'],
  'Signals.Match': ['num_results', 'top_k'],
  'Signals.Search': ['limit', 'offset'],
  'Simulations.Generate': ['n'],
  'Simulations.History': ['limit', 'offset'],
  'Strategies.List': ['skip', 'limit'],
  'Strategies.ListMine': ['limit', 'offset'],
  'Webhooks.ListDeliveries': ['limit', 'offset'],
};

/** Filters of the results of sweeps, where what no row has is no fault. */
const matchesNothing: readonly string[] = ['Corpus.ListResults status', 'Corpus.ListResults min_trades'];

/** The fields of the query or body of a route, with values that each refuses. */
function checks({ rpc, query, body }: Route): readonly (readonly [field: string, wrong: readonly unknown[]])[] {
  const taken = { ...query?.shape, ...body?.shape };
  return Object.entries(messageFacts[endpointOf(rpc).request]?.fields ?? {})
    .filter(([field, { isUnchecked }]) => Object.hasOwn(taken, field) && isUnchecked !== true)
    .filter(([field]) => !moved[rpc]?.includes(field) && !matchesNothing.includes(`${rpc} ${field}`))
    .map(([field, facts]) => [field, wrongValues(facts)] as const)
    .filter(([, wrong]) => wrong.length > 0);
}

/** Values just beyond each bound of a field; undefined for a field that is required. */
function wrongValues({ gt, gte, lt, lte, minLen, maxLen, minItems, ...facts }: FieldFacts): readonly unknown[] {
  const values = [
    ...(gte === undefined ? [] : [gte - 1]),
    ...(gt === undefined ? [] : [gt]),
    ...(lte === undefined ? [] : [lte + 1]),
    ...(lt === undefined ? [] : [lt]),
    ...(facts.isWhole === true ? [(gte ?? gt ?? 0) + 0.5] : []),
    ...(minLen === undefined || minLen === 0 ? [] : ['']),
    ...(maxLen === undefined ? [] : ['x'.repeat(maxLen + 1)]),
    ...(facts.in === undefined ? [] : ['of no such name']),
  ];
  return [
    ...(facts.required === true ? [undefined] : []),
    ...(facts.isList === true ? values.map((value) => [value]) : values),
    ...(minItems === undefined || minItems === 0 ? [] : [[]]),
  ];
}

/** What an answer says is wrong; a bulk run says it of each of its items. */
function refusal({ code, message, body }: Answer): string {
  const [item] = code === 'OK' && Array.isArray(body.results) ? body.results : [];
  return `${/^(INVALID_FIELD|VALIDATION_ERROR|MISSING_FIELD)$/.test(code) ? message : item?.error}`;
}

/** The page of an experiment reads its query like the figures of `GetHonesty`, and costs a sweep. */
const isAsked = ({ rpc }: Route): boolean => rpc !== 'Experiments.GetReport';

for (const route of new Map(routes.filter(isAsked).map((each) => [each.rpc, each])).values()) {
  const checked = checks(route);
  if (checked.length === 0) continue;
  test(`${route.rpc} refuses wrong values of ${checked.map(([field]) => field).join(', ')}`, async () => {
    const sender = await senderOf(route.rpc);
    const { call } = grpcApi(sender.service.client, sender.token);
    const { path, query, body } = await exampleFor(route, sender);
    for (const [field, wrong] of checked) {
      const dates = field === 'lookback_months' ? { start_date: undefined, end_date: undefined } : {};
      for (const value of wrong) {
        const request = { ...query, ...body, ...path, ...dates, [field]: value };
        const answer = await call(route.rpc as UnaryName, request, { managementKey: MANAGEMENT_KEY });
        assert.match(refusal(answer), new RegExp(`\\b${field}\\b`), JSON.stringify({ [field]: value }).slice(0, 60));
      }
    }
  });
}
