import assert from 'node:assert/strict';
import { merged } from '../../service/assistant/built-in/change.js';
import { readMessage } from '../../service/assistant/built-in/read-message.js';
import { understanding } from '../../service/assistant/built-in/words.js';
import { freshWorking } from '../../service/assistant/index.js';

export const assets = ['BTC', 'ETH', 'SOL', 'XRP'].map((symbol) => ({ symbol, names: [], isHeld: true }));

/** What is known after messages, in the one line that the assistant says back in English. */
export function after(...texts: readonly string[]): string {
  const known = texts.reduce((before, text) => {
    const { change, language, shareOf, numberOf, refused, notUnderstood } = readMessage(text, before, assets);
    assert.deepEqual([refused, notUnderstood], [[], []], text);
    return { ...merged(before, change), language, share_of: shareOf, number_of: numberOf };
  }, freshWorking.collected);
  return understanding({ ...known, language: 'en' });
}
