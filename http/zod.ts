import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

extendZodWithOpenApi(z);

export { z };

const documented = new WeakMap<z.ZodType, z.ZodType>();

/** Takes any JSON and documents a schema: the service checks the value, and names what is wrong. */
export function unchecked(schema: z.ZodType): z.ZodUnknown {
  const taker = z.unknown();
  documented.set(taker, schema);
  return taker;
}

/** The schema that documents a field. */
export const documentedAs = (schema: z.ZodType): z.ZodType => documented.get(schema) ?? schema;

/** What a document says about a value beside its type; a schema does not check it. */
interface Facts {
  readonly type?: 'integer';
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly enum?: string[];
  readonly format?: string;
  readonly example?: unknown;
}

/** A number in a body, of which the service checks the bounds. */
export const numberInBody = (description: string, facts: Facts = {}) => z.number().openapi({ description, ...facts });

/** A whole number in a body. */
export const integerOf = (description: string, facts: Omit<Facts, 'type'> = {}) =>
  numberInBody(description, { type: 'integer', ...facts });

/** A text in a body, of which the service checks the value. */
export const textInBody = (description: string, facts: Facts = {}) => z.string().openapi({ description, ...facts });

/**
 * A JSON object whose keys are not fixed. It states `additionalProperties`, because generators take
 * a bare object for an empty one.
 */
export const jsonObject = (description: string) =>
  z.record(z.string(), z.unknown()).openapi({ type: 'object', additionalProperties: {}, description });

/** A value of a parameter of a signal. */
export const paramValue = z.union([z.number(), z.string(), z.boolean(), z.null(), z.array(z.number())]);

/** For named schemas: `nullable` would document a value that is both null and of the schema. */
export const orNull = <T extends z.ZodType>(schema: T) => z.union([schema, z.null()]);

/** ISO 8601 time in UTC. */
export const time = () => z.string().openapi({ format: 'date-time' });
export const id = () => z.string().openapi({ format: 'uuid' });

/** A number in a query string. */
export const numberInQuery = (description: string, facts: Facts = {}) =>
  z
    .string()
    .trim()
    .regex(/^[+-]?\d+(\.\d+)?$/, 'must be a number')
    .transform(Number)
    .openapi({ type: 'number', description, ...facts });

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  True: true,
  1: true,
  false: false,
  False: false,
  0: false,
};

/** A flag in a query string. */
export const flagInQuery = (description: string, facts: Facts = {}) =>
  z
    .enum(Object.keys(flags), 'must be true or false')
    .transform((text) => flags[text] as boolean)
    .openapi({ type: 'boolean', description, ...facts });

export const textInQuery = (description: string, facts: Facts = {}) => z.string().openapi({ description, ...facts });
