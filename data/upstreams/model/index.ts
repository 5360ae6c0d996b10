export { ModelServer } from './model-server.js';
export type { ChatMessage, ChatModel, ChatReply, ChatRequest, VectorModel } from './port.js';
