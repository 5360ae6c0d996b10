import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { openPlanner, type Planner, type PlannerOptions, type PlanTask } from '../../../workers/index.js';

const nothing: PlanTask = { sweep: {}, toPlan: [], runsMax: 1 };

function planner(options: PlannerOptions): Planner {
  const opened = openPlanner(options);
  after(() => opened.close());
  return opened;
}

/** Plans that stay in progress until a test releases them. */
function heldPlans(of: Planner) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const begun: string[] = [];
  const plan = (name: string, organization: string, signal?: AbortSignal) =>
    of.plan(
      async () => {
        begun.push(name);
        await held;
        return nothing;
      },
      signal,
      organization,
    );
  return { plan, begun, letGo };
}

test('a plan of one organization does not wait for those of another', { timeout: 60_000 }, async () => {
  const shared = planner({});
  const { plan, begun, letGo } = heldPlans(shared);
  const plans = [plan('A1', 'A'), plan('A2', 'A'), plan('A3', 'A')];
  const { errors } = await shared.plan(async () => nothing, undefined, 'B');
  assert.match(errors.join(), /name is required/);
  await shared.plan(async () => nothing, undefined, 'B');
  assert.deepEqual(begun, ['A1'], 'an organization has one plan at a time');
  letGo();
  await Promise.all(plans);
});

test('organizations take turns where threads are few', { timeout: 60_000 }, async () => {
  const { plan, begun, letGo } = heldPlans(planner({ threads: 1 }));
  const names = ['A1', 'A2', 'A3', 'B1', 'B2', 'C1'];
  const plans = names.map((name) => plan(name, name.charAt(0)));
  letGo();
  await Promise.all(plans);
  assert.deepEqual(begun, ['A1', 'B1', 'C1', 'A2', 'B2', 'A3']);
});

test('a full line refuses its own organization, and then all', { timeout: 60_000 }, async () => {
  const { plan, letGo } = heldPlans(planner({ threads: 1, queueMax: 2, queueMaxOfAll: 3 }));
  const plans = [plan('A1', 'A'), plan('A2', 'A'), plan('A3', 'A')];
  await assert.rejects(plan('A4', 'A'), { fault: 'full', message: 'the queue of 2 is full' });
  plans.push(plan('B1', 'B'));
  await assert.rejects(plan('C1', 'C'), { fault: 'full', message: 'the queue of 3 is full' });
  letGo();
  await Promise.all(plans);
});
