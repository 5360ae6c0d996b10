import { type DescribedField, describedMessages, endpointOf, type MethodName } from '../../contract/index.js';

/** A schema of a document, as JSON. */
export interface JsonSchema {
  $ref?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  readonly [key: string]: unknown;
}

export type Components = Readonly<Record<string, JsonSchema>>;

/** Fills descriptions that schemas lack from the comments of the contract. */
export class CommentFiller {
  readonly #components: Components;
  readonly #filled = new Set<JsonSchema>();

  constructor(components: Components) {
    this.#components = components;
  }

  request(method: MethodName, schema: JsonSchema): void {
    this.#fill(schema, endpointOf(method).request);
  }

  reply(method: MethodName, schema: JsonSchema): void {
    this.#fill(schema, endpointOf(method).reply);
  }

  /** The comment of a field of a request; undefined without one. */
  ofRequest(method: MethodName, field: string): string | undefined {
    return commentOf(describedMessages[endpointOf(method).request]?.[field]);
  }

  #fill(schema: JsonSchema, message: string | undefined): void {
    const target = schema.$ref === undefined ? schema : this.#components[schema.$ref.split('/').at(-1) ?? ''];
    if (target === undefined || message === undefined || this.#filled.has(target)) return;
    this.#filled.add(target);
    const fields = describedMessages[message] ?? {};
    for (const inner of [target.items, ...(target.anyOf ?? [])]) if (inner !== undefined) this.#fill(inner, message);
    for (const [name, property] of Object.entries(target.properties ?? {})) {
      const field = fields[name];
      const comment = commentOf(field);
      // In OpenAPI 3.1 a reference may have a description beside it.
      if (comment !== undefined) property.description ??= comment;
      this.#fill(property, field?.message);
    }
  }
}

const commentOf = (field: DescribedField | undefined): string | undefined =>
  field === undefined || field.comment === '' ? undefined : field.comment;
