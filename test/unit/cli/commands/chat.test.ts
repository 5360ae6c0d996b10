import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { runCli } from '../../../support/cli.js';
import { newHome } from '../../../support/state.js';
import { commandArgs, root } from '../../../support/tree.js';

const RULES = 'Buy BTC daily when RSI(14) crosses above 40, sell when it crosses below 60, stop 4 %, 2022 to 2024';
const SAID_BACK =
  /^I understand: BTC 1d, buy when crosses_above\(rsi\(close, 14\), 40\), sell when crosses_below\(rsi\(close, 14\), 60\)/m;
const SECONDS_MAX = 120;

/** What a terminal does to place its cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal sends them
const MOVES = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** A chat as a person has it, in a process of its own. */
class Chat {
  output = '';
  readonly ended: Promise<readonly [code: number | null, signal: string | null]>;
  #news: () => void = () => {};

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text.replace(MOVES, '');
        this.#news();
      });
    }
    this.ended = once(child, 'close') as Promise<[number | null, string | null]>;
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Waits for words behind those that were waited for before. */
  async hears(pattern: RegExp): Promise<string> {
    const giveUp = AbortSignal.timeout(1_000 * SECONDS_MAX);
    for (;;) {
      const found = pattern.exec(this.output);
      if (found !== null) {
        const heard = this.output.slice(0, found.index + found[0].length);
        this.output = this.output.slice(heard.length);
        return heard;
      }
      giveUp.throwIfAborted();
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#news = resolve;
        }),
        this.ended.then(([code]) => {
          if (!pattern.test(this.output)) throw new Error(`ended with ${code} before ${pattern}: ${this.output}`);
        }),
        once(giveUp, 'abort'),
      ]);
    }
  }

  /** So that nothing is left behind a test that failed. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  interrupt(): void {
    this.child.kill('SIGINT');
  }
}

const environment = (home: string) => ({ ...process.env, NODE_TEST_CONTEXT: '', NODE_OPTIONS: '', BARLINE_HOME: home });

const piped = (home: string, ...args: readonly string[]): Chat =>
  new Chat(spawn(process.execPath, commandArgs('chat', ...args), { cwd: root, env: environment(home) }));

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
  assert.equal(later.code, 0, later.stderr);
  assert.match(later.stdout, /^The largest drawdown of candidate 1 is [\d.]+ %, from /);
  const asked = await runCli(['chat', 'sharpe?', '--json', '--session', session], { home });
  const { session_id, answer } = JSON.parse(asked.stdout) as { session_id: string; answer: string };
  assert.deepEqual([session_id, /Sharpe ratio/.test(answer)], [session, true]);
  const nothing = await runCli(['chat', ' '], { home });
  assert.deepEqual([nothing.code, nothing.stdout], [0, '']);
});

test('Ctrl-C ends a chat of a pipe between two messages, with what goes on with it', async (t) => {
  const home = await newHome();
  const chat = piped(home);
  t.after(() => chat.kill());
  chat.write('BTC daily trend\n');
  await chat.hears(/I understand: BTC 1d, follow the trend/);
  chat.interrupt();
  await chat.hears(/barline chat --session [0-9a-f-]{36}/);
  assert.deepEqual(await chat.ended, [130, null]);
  // The store is closed, so that the next process opens it.
  const unknown = await runCli(['chat', 'hello', '--session', '00000000-0000-4000-8000-000000000000'], { home });
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /not found/i);
});

const hasTerminals = spawnSync('script', ['--version']).status === 0;

test('a terminal has a prompt and a history, and Ctrl-C ends it', {
  skip: !hasTerminals && 'no script(1)',
}, async (t) => {
  const home = await newHome();
  const command = [process.execPath, ...commandArgs('chat')].map((part) => `'${part}'`).join(' ');
  const chat = new Chat(
    spawn('script', ['-qec', command, '/dev/null'], {
      cwd: root,
      env: { ...environment(home), TERM: 'xterm', COLUMNS: '200' },
    }),
  );
  t.after(() => chat.kill());
  await chat.hears(/"exit" ends[\s\S]*> /);
  chat.write('ETH daily momentum\r');
  await chat.hears(/I understand: ETH 1d, trade momentum[\s\S]*> /);
  // The key up brings the line back.
  chat.write('\u001b[A, risk 2 %\r');
  await chat.hears(/ETH daily momentum, risk 2 %/);
  await chat.hears(/ETH 1d, trade momentum, risk 2 %[\s\S]*> /);
  // A half-typed line is cleared, and only an empty one ends.
  chat.write('buy the moon\u0003');
  chat.write('daily\r');
  const heard = await chat.hears(/ETH 1d, trade momentum, risk 2 %[\s\S]*> /);
  assert.doesNotMatch(heard, /understand "/);
  chat.write('\u0003');
  await chat.hears(/barline chat --session/);
  const [code] = await chat.ended;
  assert.equal(code, 130);
});
