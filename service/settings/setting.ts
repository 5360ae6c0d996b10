import { z } from 'zod';

/** An environment variable of the service. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** Its bounds and default. */
  readonly schema: Schema;
  /** What it is for; `docs/operating.md` lists the same. */
  readonly what: string;
  /** Never printed, logged or listed. */
  readonly isSecret: boolean;
}

type Settings = Readonly<Record<string, Setting>>;

export type SchemasOf<S extends Settings> = { readonly [Name in keyof S]: S[Name]['schema'] };

/** The values of settings, by name. */
export type ValuesOf<S extends Settings> = Readonly<z.infer<z.ZodObject<SchemasOf<S>>>>;

export const setting = <Schema extends z.ZodType>(schema: Schema, what: string): Setting<Schema> => ({
  schema,
  what,
  isSecret: false,
});

export const secret = <Schema extends z.ZodType>(schema: Schema, what: string): Setting<Schema> => ({
  schema,
  what,
  isSecret: true,
});

export const webAddress = z.url({ protocol: /^https?$/ });

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(min).max(max);

/** A key of another service. */
export const key = z.string().min(1).optional();
