import assert from 'node:assert/strict';
import test from 'node:test';
import { runCli } from '../../../support/cli.js';
import { newHome } from '../../../support/state.js';

const RULES = 'Buy BTC daily when RSI(14) crosses above 40, sell when it crosses below 60, stop 4 %, 2022 to 2024';
const SAID_BACK =
  /^I understand: BTC 1d, buy when crosses_above\(rsi\(close, 14\), 40\), sell when crosses_below\(rsi\(close, 14\), 60\)/m;
const sessionIn = (text: string): string => /--session ([0-9a-f-]{36})/.exec(text)?.[1] ?? '';

test('lines of a pipe are a conversation, which later calls go on with', async () => {
  const home = await newHome();
  const lines = [RULES, '', 'yes', 'yes', 'run it', 'what was the worst trade?', 'exit', 'this is not read'];
  const { code, stdout, stderr } = await runCli(['chat'], { home, stdin: `${lines.join('\n')}\n` });
  assert.equal(code, 0, stderr);
  const answers = [
    SAID_BACK,
    /^For BTC 1d/m,
    SAID_BACK,
    /^I ran: BTC 1d.*stop 4 %, from 2022-01-01 to 2024-12-31/m,
    /^The worst trade of candidate 1: /m,
  ];
  let from = 0;
  for (const answer of answers) {
    const found = answer.exec(stdout.slice(from));
    assert.ok(found, `${answer} after ${from} of ${stdout}`);
    from += found.index + 1;
  }
  assert.doesNotMatch(stdout, /^> |not read/m, 'a pipe has no prompt, and nothing is read after exit');
  const session = sessionIn(stderr);
  assert.notEqual(session, '', stderr);
  const later = await runCli(['chat', 'and the drawdown?', '--session', session], { home });
  assert.match(later.stdout, /^The largest drawdown of candidate 1 is [\d.]+ %, from /);
});
