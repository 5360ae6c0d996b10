import { settingSchemas, topLevelFields } from '../../rpc/index.js';
import { json, z } from '../zod.js';

/*
 * Schemas of the execution settings. They document all bounds but check only the JSON type; the
 * service checks the values and names what is wrong.
 */

const kinds = {
  number: () => z.number(),
  integer: () => z.number(),
  boolean: () => z.boolean(),
  string: () => z.string(),
  object: () => z.unknown(),
  null: () => z.null(),
};

/** A setting given beside `execution_config`, where null is not allowed. */
function schemaOf(name: keyof typeof settingSchemas) {
  const { type, default: _, ...facts } = settingSchemas[name];
  // biome-ignore lint/style/noNonNullAssertion: a list of types is never empty
  const kind = Array.isArray(type) ? type[0]! : type;
  return kinds[kind]().openapi({ type: kind, ...facts });
}

const { position_size_calc: _, ...beside } = Object.fromEntries(topLevelFields.map((name) => [name, schemaOf(name)]));

/** The settings that a run request may give at its top level. */
export const settingsBeside = beside;

/** The batch engine also takes the sizing version at the top level. */
export const sizingBeside = { position_size_calc: json('v1 or v2; null is refused') };

export const executionConfig = z.unknown().openapi('ExecutionSettings', {
  type: ['object', 'null'],
  properties: settingSchemas,
  additionalProperties: {},
  description: 'execution settings; a setting given nowhere takes its default',
});
