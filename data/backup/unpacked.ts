import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { EngineError, errorMessage } from '../../engine/errors.js';

/** Compressed text may be this short. */
const FREE_BYTES = 64 * 1024 * 1024;
/** Rows of a state compress to a tenth; a bomb to a thousandth. */
const RATIO_MAX = 200;

/**
 * What a gzip stream holds.
 * @throws INVALID_DATA once it holds far more than its length makes plausible, or is damaged
 */
export async function* unpacked(source: Readable, name: string): AsyncGenerator<Buffer> {
  let read = 0;
  let bytes = 0;
  source.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      const most = Math.max(FREE_BYTES, read * RATIO_MAX);
      if (bytes > most) throw invalid(`${name} must unpack to at most ${most} bytes, has more`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw invalid(`${name} cannot be unpacked: ${errorMessage(error)}`);
  } finally {
    source.destroy();
  }
}

const invalid = (message: string): EngineError => new EngineError('INVALID_DATA', message);
