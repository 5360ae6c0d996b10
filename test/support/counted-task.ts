import { openSync, writeSync } from 'node:fs';
import { SweepKernel } from '../../engine/sweep/index.js';
import runChunk from '../../workers/sweep-task.js';

/**
 * The real task, which appends one byte to the file BARLINE_TEST_RUNS for every run that it begins.
 */
const file = openSync(process.env.BARLINE_TEST_RUNS!, 'a');
const { run } = SweepKernel.prototype;
SweepKernel.prototype.run = function counted(...args) {
  writeSync(file, '.');
  return run.apply(this, args);
};

export default runChunk;
