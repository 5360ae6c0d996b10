import { presetNames, settingSchemas, topLevelFields } from '../../rpc/index.js';
import { unchecked, z } from '../zod.js';

/*
 * Schemas of the execution settings. They document all bounds but check only the JSON type; the
 * service checks the values and names what is wrong.
 */

const kinds = {
  number: () => z.number(),
  integer: () => z.number(),
  boolean: () => z.boolean(),
  string: () => z.string(),
  object: () => z.unknown(), // the cooldown by interval, which `beside` replaces
  null: () => z.null(),
};

/** A setting given beside `execution_config`, where null is not allowed. */
function schemaOf(name: keyof typeof settingSchemas) {
  const { type, default: _, ...facts } = settingSchemas[name];
  // biome-ignore lint/style/noNonNullAssertion: a list of types is never empty
  const kind = Array.isArray(type) ? type[0]! : type;
  return kinds[kind]().openapi({ type: kind, ...facts });
}

const cooldown = z
  .record(
    z.string(),
    z.object({
      short_loss_limit: z.number(),
      long_loss_limit: z.number(),
      short_window_bars: z.number(),
      long_window_bars: z.number(),
    }),
  )
  .openapi('Cooldown', { description: 'limits and windows by interval of the run, such as 5m, 15m, 1h, 1d' });

const { position_size_calc: _, ...beside } = Object.fromEntries(topLevelFields.map((name) => [name, schemaOf(name)]));

/** The settings that a run request may give at its top level. */
export const settingsBeside = { ...beside, cooldown_config: unchecked(cooldown) };

/** The batch engine also takes the sizing version at the top level. */
export const sizingBeside = { position_size_calc: unchecked(z.enum(['v1', 'v2'])) };

const limit = { type: 'number' } as const;
const tiers = {
  type: 'object',
  properties: { short_loss_limit: limit, long_loss_limit: limit, short_window_bars: limit, long_window_bars: limit },
} as const;

export const executionConfig = z.unknown().openapi('ExecutionSettings', {
  type: ['object', 'null'],
  properties: {
    ...settingSchemas,
    cooldown_config: { ...settingSchemas.cooldown_config, additionalProperties: tiers },
    preset: {
      type: ['string', 'null'],
      enum: [...presetNames, null],
      description: 'settings by one name, in runs; the settings given beside it win over it',
    },
  },
  additionalProperties: {},
  description: 'execution settings; a setting given nowhere takes its default',
});
