/** A message as a chat model reads it. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** JSON Schema that the answer must fit. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Most tokens of the reply. */
  readonly tokensMax: number;
}

export interface ChatReply {
  /** JSON, if the model keeps to the schema. */
  readonly content: string;
  /** Whether the reply ended at `tokensMax`. */
  readonly isCut: boolean;
  /** As the server counts; null if it does not. */
  readonly tokens: { readonly prompt: number; readonly answer: number } | null;
}

/** A model that makes vectors of texts. */
export interface VectorModel {
  /** As its server calls it. */
  readonly name: string;
  /**
   * A vector for each text, all of one length.
   * @throws UpstreamFault
   */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** A model that answers chats. */
export interface ChatModel {
  /** As its server calls it. */
  readonly model: string;
  /** @throws UpstreamFault when the server fails or the signal is aborted */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
}
