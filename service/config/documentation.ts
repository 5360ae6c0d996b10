import type { Document } from '../../data/docs/index.js';
import { notFound, requireFields } from '../api-error.js';

interface DocumentContent {
  readonly content: string;
  readonly path: string;
  /** Readers look for it; a document that cannot be read is refused instead. */
  readonly error: null;
}

/**
 * Reads of the documentation that comes with the service. A path is only ever compared with those
 * listed.
 */
export class Documentation {
  #documents: readonly Document[] | null = null;

  /** @param read asked at the first question; its answer is kept */
  constructor(private readonly read: () => Promise<readonly Document[]>) {}

  async list(): Promise<{ readonly docs: readonly Omit<Document, 'content'>[] }> {
    const documents = await this.#all();
    return { docs: documents.map(({ path, name, title }) => ({ path, name, title })) };
  }

  /** @throws MISSING_FIELD without a path, RESOURCE_NOT_FOUND for one that is not listed */
  async get(request: { readonly path?: string }): Promise<DocumentContent> {
    requireFields(request, ['path']);
    const { path = '' } = request;
    const found = (await this.#all()).find((document) => document.path === path);
    if (found === undefined) throw notFound('document', path);
    return { content: found.content, path, error: null };
  }

  async #all(): Promise<readonly Document[]> {
    this.#documents ??= await this.read();
    return this.#documents;
  }
}
