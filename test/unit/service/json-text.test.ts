import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonText, pacedJson } from '../../../service/json-text.js';

const written = async (value: unknown): Promise<string> => Buffer.concat(await pacedJson(value)).toString();

test('JSON in pieces is the JSON of the whole', async () => {
  const long = Array.from({ length: 1_000 }, (_, i) => ({ i, text: 'ä"', none: undefined, list: [null, NaN, [i]] }));
  const values = [null, 1, 'é', [], {}, [undefined], { a: undefined, b: null }, { at: new Date(0) }, long];
  for (const value of [...values, { deep: { deeper: [{ long }] } }]) {
    assert.equal(await written(value), JSON.stringify(value));
  }
});

test('a JSON text is passed on as it is, and reads as its value', async () => {
  const text = new JsonText(Buffer.from('[1, 2]'));
  assert.equal(await written({ text, list: [text] }), '{"text":[1, 2],"list":[[1, 2]]}');
  assert.equal(JSON.stringify({ text }), '{"text":[1,2]}');
});

test('a list of JSON texts has every item once', async () => {
  for (const count of [0, 1, 50_000]) {
    const list = await JsonText.listOf(count, String);
    assert.deepEqual(
      list.toJSON(),
      Array.from({ length: count }, (_, i) => i),
    );
  }
});
