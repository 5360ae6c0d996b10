import assert from 'node:assert/strict';
import test from 'node:test';
import { ARGUMENT_CHARACTERS_MAX, promptText } from '../../../mcp/prompts.js';
import { ANSWER_BYTES_MAX, publishedFailure, toolResult } from '../../../mcp/server.js';
import { chosenSets } from '../../../mcp/toolbox.js';
import { ApiError } from '../../../rpc/index.js';

test('an answer above its bound becomes an error that says how to ask for less', () => {
  const text = 'x'.repeat(ANSWER_BYTES_MAX - '{"a":""}'.length);
  assert.equal(toolResult({ a: text }).isError, undefined);
  const { isError, content, structuredContent } = toolResult({ a: `${text}x` });
  assert.deepEqual([isError, structuredContent], [true, undefined]);
  const { code, limit, message } = JSON.parse(content[1]?.text ?? '');
  assert.deepEqual([code, limit], ['PAYLOAD_TOO_LARGE', ANSWER_BYTES_MAX]);
  assert.match(message, /1000001 bytes.*1000000.*`fields`/);
});

test('a bug shows no more than that it is one, and is told', () => {
  const told: unknown[] = [];
  const bug = new Error('secret of the inside');
  const { code, message } = publishedFailure(bug, 'Signals.Get', (error) => told.push(error));
  assert.deepEqual([code, message, told], ['INTERNAL_ERROR', 'an unexpected error occurred', [bug]]);
  const known = publishedFailure(new ApiError('VALIDATION_ERROR', 'no'), 'Experiments.Get', () => assert.fail());
  assert.equal(known.code, 'INVALID_FIELD', 'as the method publishes it');
});

test('sets of tools are chosen by name, and an unknown one is named', () => {
  assert.deepEqual(chosenSets('signals, knowledge'), ['signals', 'knowledge']);
  assert.ok(chosenSets('all').length > chosenSets(null).length);
  assert.throws(() => chosenSets('signals,bogus'), {
    code: 'VALIDATION_ERROR',
    message: /toolsets must be all, .*was bogus/,
  });
});

test('arguments of prompts are required, bounded and put into the text', () => {
  assert.match(
    promptText('test_idea', { idea: 'buy dips', asset: ' ' }).text,
    /Test this idea: buy dips\n\nAsset: the asset/,
  );
  assert.throws(() => promptText('test_idea', {}), { code: 'MISSING_FIELD', message: 'Missing required fields: idea' });
  assert.throws(() => promptText('bogus', {}), { code: 'RESOURCE_NOT_FOUND' });
  const long = 'x'.repeat(ARGUMENT_CHARACTERS_MAX + 1);
  assert.throws(() => promptText('test_idea', { idea: long }), {
    message: /idea must have at most 4000 characters, had 4001/,
  });
  assert.ok(promptText('test_idea', { idea: long.slice(1) }).text.length > ARGUMENT_CHARACTERS_MAX);
});
