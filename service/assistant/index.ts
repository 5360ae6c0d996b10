export { Assistant } from './assistant.js';
export { BuiltInMind } from './built-in/built-in-mind.js';
export { type Embedder, HashedWords } from './embed.js';
export { freshWorking, type Mind, type Step, type Working } from './mind.js';
export { type Passage, Retrieval } from './retrieval.js';
export { type AssistantTools, toolsFor } from './tools.js';
export { Turns } from './turns.js';
