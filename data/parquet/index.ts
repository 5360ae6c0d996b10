export { type PartRows, writePartFile } from './write-part.js';
