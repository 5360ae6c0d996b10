export { ModelServer } from './model-server.js';
export type { ChatMessage, ChatModel, ChatReply, ChatRequest, ToolCall, VectorModel } from './port.js';
