export {
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  ModelServer,
  type VectorModel,
} from './model-server.js';
