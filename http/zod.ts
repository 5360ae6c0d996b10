import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

extendZodWithOpenApi(z);

export { z };

/** JSON whose keys are not fixed; the service checks it. */
export const json = (description: string) => z.unknown().openapi({ description });

/**
 * A JSON object whose keys are not fixed. It states `additionalProperties`, because generators take
 * a bare object for an empty one.
 */
export const jsonObject = (description: string) =>
  z.record(z.string(), z.unknown()).openapi({ type: 'object', additionalProperties: {}, description });

/** For named schemas: `nullable` would document a value that is both null and of the schema. */
export const orNull = <T extends z.ZodType>(schema: T) => z.union([schema, z.null()]);

/** ISO 8601 time in UTC. */
export const time = () => z.string().openapi({ format: 'date-time' });
export const id = () => z.string().openapi({ format: 'uuid' });

/** A number in a query string. */
export const numberInQuery = (description: string) =>
  z
    .string()
    .trim()
    .regex(/^[+-]?\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .openapi({ type: 'number', description });

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  True: true,
  1: true,
  false: false,
  False: false,
  0: false,
};

/** A flag in a query string. */
export const flagInQuery = (description: string) =>
  z
    .enum(Object.keys(flags), 'must be true or false')
    .transform((text) => flags[text] as boolean)
    .openapi({ type: 'boolean', description });

export const textInQuery = (description: string) => z.string().openapi({ description });
