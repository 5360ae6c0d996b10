/** A message as a chat model reads it. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

/** What a model asks a tool for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, if the model keeps to the format. */
  readonly args: string;
}

interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDescription[];
  /** False makes the model answer in words. */
  readonly mayCall: boolean;
  /** Most tokens of the reply. */
  readonly tokensMax: number;
}

export interface ChatReply {
  /** Empty where the model only calls tools. */
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
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
  vectorsOf(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

/** A model that answers chats. */
export interface ChatModel {
  /** As its server calls it. */
  readonly model: string;
  /** @throws UpstreamFault when the server fails or the signal is aborted */
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
}
