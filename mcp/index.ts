export { askAssistant } from './assistant-tool.js';
export { type MountOptions, mcpMount } from './mount.js';
export { serveStdio } from './stdio.js';
export { toolsPage } from './toolbox.js';
