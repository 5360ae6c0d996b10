export { readBackup, readLines } from './read-backup.js';
export { writeBackup } from './write-backup.js';
