export { Conversation } from './conversation.js';
export { type Embedder, HashedWords, ModelVectors } from './embed.js';
export { ModelReader } from './model/model-reader.js';
export { type Passage, Retrieval } from './retrieval.js';
export { type AssistantTools, type ToolParts, toolsFor } from './tools.js';
export { Turns } from './turns.js';
export { freshWorking, type Responder, type Step, type Turn, type Working } from './working.js';
