import { settingSchemas, topLevelFields } from '../../rpc/index.js';
import { json, z } from '../zod.js';

/*
 * Schemas of the execution settings. They document all bounds but check only the kind of JSON,
 * since the service names what is wrong with a value.
 */

const kinds = {
  number: () => z.number(),
  integer: () => z.number(),
  boolean: () => z.boolean(),
  string: () => z.string(),
  object: () => z.unknown(),
  null: () => z.null(),
};

/** A setting beside `execution_config`, where null is not a value. */
function schemaOf(name: keyof typeof settingSchemas) {
  const { type, default: _, ...facts } = settingSchemas[name];
  // biome-ignore lint/style/noNonNullAssertion: a list of types is never empty
  const kind = Array.isArray(type) ? type[0]! : type;
  return kinds[kind]().openapi({ type: kind, ...facts });
}

const { position_size_calc: _, ...beside } = Object.fromEntries(topLevelFields.map((name) => [name, schemaOf(name)]));

/** The settings that a request for a run may give at its top level. */
export const settingsBeside = beside;

/** The batch engine takes the sizing version there too. */
export const sizingBeside = { position_size_calc: json('v1 or v2; null is refused') };

export const executionConfig = z.unknown().openapi('ExecutionSettings', {
  type: ['object', 'null'],
  properties: settingSchemas,
  additionalProperties: {},
  description: 'execution settings; a run has the default of each that nothing else gives',
});
