import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { executionFieldNames, fieldOf, legacyCooldownFields, settingNames } from '../../../engine/execution/index.js';
import { openApiDocument } from '../../../http/openapi.js';
import { routes } from '../../../http/routes.js';
import { contract } from '../../../rpc/index.js';
import { requiredFields, topLevelFields } from '../../../service/backtests/index.js';
import { settingsProto } from '../../../service/config/index.js';
import { root } from '../../support/tree.js';

const jsonTypes: Readonly<Record<string, string>> = { enum: 'string', interval: 'string', pairs: 'array' };

/** Documents and contracts list the settings of the table, and no others. */

const document = JSON.parse(JSON.stringify(openApiDocument(routes, '0.0.0-test')));

test('the document of the REST API gives every setting with its bounds and its default', () => {
  const { properties } = document.components.schemas.ExecutionSettings;
  assert.deepEqual(Object.keys(properties), [...settingNames, 'preset']);
  for (const name of settingNames) {
    const { kind, min, above, max, below, values, default: published, description } = fieldOf(name);
    const schema = properties[name];
    const bounds = [schema.minimum, schema.exclusiveMinimum, schema.maximum, schema.exclusiveMaximum, schema.enum];
    assert.deepEqual(bounds, [min, above, max, below, values], name);
    assert.ok(schema.description.endsWith(`Default: ${JSON.stringify(published)}.`), name);
    assert.ok(schema.description.toLowerCase().startsWith(description.toLowerCase()), name);
    assert.equal([schema.type].flat()[0], jsonTypes[kind] ?? kind);
  }
});

test('the message of the settings is the one that the table writes', () => {
  const file = readFileSync(join(root, 'protos/barline/v1/settings.proto'), 'utf8');
  assert.equal(settingsProto(file, [...requiredFields, ...legacyCooldownFields]), file, 'run npm run reference');
});

const protoTypes: Readonly<Record<string, string>> = {
  number: 'double',
  integer: 'double',
  boolean: 'bool',
  enum: 'string',
  object: 'CooldownLimits',
  pairs: 'ListValue',
  interval: 'string',
};
const requests = ['Backtests.Run', 'Backtests.Submit', 'Backtests.RunBulk', 'Batch.Run', 'Batch.RunBulk'] as const;

for (const method of requests) {
  test(`${method} takes the settings that the service reads beside execution_config, with their types`, () => {
    const found = contract().methods.get(method);
    assert.ok(found, method);
    const isKnown = (name: string) => (executionFieldNames as readonly string[]).includes(name);
    const types = found.request.fieldsArray.map(({ name, type }) => [name.replace(/_json$/, ''), type] as const);
    const isBatch = method.startsWith('Batch');
    const expected = topLevelFields
      .filter((name) => isBatch || name !== 'position_size_calc')
      .map((name) => [name, protoTypes[fieldOf(name).kind]]);
    assert.deepEqual(types.filter(([name]) => isKnown(name)).sort(), expected.sort());
  });
}
