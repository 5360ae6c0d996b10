import type { Document } from '../../data/docs/index.js';
import { notFound, requireFields } from '../api-error.js';

interface DocumentContent {
  readonly content: string;
  readonly path: string;
  /**
   * Always null, since some clients read the key; a document that cannot be read is refused
   * instead.
   */
  readonly error: null;
}

/**
 * Serves the documentation that ships with the service. A path is only compared with the listed
 * ones and never opened.
 */
export class Documentation {
  #documents: readonly Document[] | null = null;

  /** @param read called for the first request; its answer is kept */
  constructor(private readonly read: () => Promise<readonly Document[]>) {}

  async list(): Promise<{ readonly docs: readonly Pick<Document, 'path' | 'name' | 'title'>[] }> {
    const documents = await this.#all();
    return { docs: documents.map(({ path, name, title }) => ({ path, name, title })) };
  }

  /** @throws MISSING_FIELD without a path, RESOURCE_NOT_FOUND for a path that is not listed */
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
