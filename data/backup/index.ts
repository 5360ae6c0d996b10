export { readLines } from './lines.js';
export { readBackup } from './read-backup.js';
export { writeBackup } from './write-backup.js';
