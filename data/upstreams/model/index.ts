export { ModelServer } from './model-server.js';
export type { ChatMessage, ChatModel, ChatReply, ChatRequest, ToolCall } from './port.js';
