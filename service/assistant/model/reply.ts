import { z } from 'zod';
import { indicatorFunctions } from '../../../engine/indicators/index.js';
import { findSignal } from '../../../engine/signals/index.js';
import type { World } from '../plan/apply.js';
import { type Change, changeSchema } from '../plan/change.js';
import { topics } from '../reading/topics.js';
import { claims, metrics } from '../runs/claims.js';

const quote = z.string().max(500);
const candidate = z.int().min(1).max(8);

/** What a model says of a message. No part of it is sent as it stands: the product prints all words. */
const replySchema = z.strictObject({
  change: changeSchema,
  topics: z
    .array(z.enum(topics as [string, ...string[]]))
    .max(4)
    .describe('questions that the message asks'),
  terms: z.array(quote).max(3).describe('words whose meaning the message asks, in English'),
  figures: z
    .array(z.strictObject({ candidate, metric: z.enum(metrics as [string, ...string[]]) }))
    .max(8)
    .describe('figures of runs that answer the message'),
  claims: z
    .array(z.strictObject({ candidate, claim: z.enum(claims as [string, ...string[]]) }))
    .max(4)
    .describe('what the runs show, where the message asks; each is checked'),
  not_understood: z.array(quote).max(10).describe('parts of the message, word by word, that the change does not say'),
  sentiment: z.enum(['bullish', 'bearish', 'neutral']).nullable(),
  knowledge_level: z.enum(['beginner', 'intermediate', 'expert']).nullable(),
});
export type Reply = z.infer<typeof replySchema>;

export const replyJsonSchema = z.toJSONSchema(replySchema) as Readonly<Record<string, unknown>>;

/** The reply in a text, also between other words. @throws Error that names the problem */
export function parseReply(content: string, world: World): Reply {
  const from = content.indexOf('{');
  let json: unknown;
  try {
    json = JSON.parse(content.slice(Math.max(from, 0), content.lastIndexOf('}') + 1));
  } catch {
    throw new Error('the answer is no JSON object');
  }
  const read = replySchema.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it does not fit the schema'}`);
  }
  const unknown = unknownName(read.data.change, world);
  if (unknown !== null) throw new Error(`there is no ${unknown}`);
  return read.data;
}

/** The first name of a change that stands in no table; free text does not pass. */
function unknownName({ assets, rules }: Change, { held, names }: World): string | null {
  const symbols = new Set([...held, ...names.keys()]);
  const asset = (assets ?? []).find((each) => !symbols.has(each));
  if (asset !== undefined) return `asset ${asset}`;
  for (const edit of rules) {
    const said = 'rules' in edit ? edit.rules.map(({ signal }) => signal) : [edit.name];
    const wrong = said.find((name) => name !== null && !isKnown(name));
    if (wrong !== undefined) return `signal or indicator ${wrong}`;
    if (edit.edit === 'number' && !/^[a-z][a-z_\d]{0,30}$/.test(edit.param)) return `parameter ${edit.param}`;
  }
  return null;
}

const isKnown = (name: string): boolean =>
  findSignal(name) !== undefined ||
  [...indicatorFunctions.keys()].some((each) => each === name || each.startsWith(`${name}_`));
