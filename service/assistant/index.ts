export { Assistant } from './assistant.js';
export { BuiltInMind } from './built-in/built-in-mind.js';
export { type Embedder, HashedWords, ModelVectors } from './embed.js';
export { LanguageModelMind } from './language-model/language-model-mind.js';
export { type Prompts, promptNames } from './language-model/prompts.js';
export { freshWorking, type Mind, type Step, type Turn, type Working } from './mind.js';
export { type Passage, Retrieval } from './retrieval.js';
export { type AssistantTools, type ToolParts, toolsFor } from './tools.js';
export { Turns } from './turns.js';
