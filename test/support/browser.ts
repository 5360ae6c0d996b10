import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from './temporary-folder.js';

const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

/** Path of a Chromium on this machine, or undefined. */
export const chromiumPath = candidates.find((path) => path !== undefined && existsSync(path));

type Params = Readonly<Record<string, unknown>>;
type Listener = (method: string, params: Record<string, unknown>, session: string | undefined) => void;

export interface OpenPage {
  /** Messages on the console, uncaught errors and policy violations. */
  readonly complaints: string[];
  /** Addresses that the page requested, besides its own. */
  readonly requests: string[];
  /** Value of an expression in the page; a promise is awaited. */
  evaluate<T>(expression: string): Promise<T>;
  press(key: 'Tab' | 'Enter'): Promise<void>;
  send(method: string, params?: Params): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface View {
  readonly width: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly script?: boolean;
}

export interface Browser {
  open(file: string, view: View): Promise<OpenPage>;
  /** Opens a page of a server, without waiting for the loads that the page starts itself. */
  visit(url: string, view: View): Promise<OpenPage>;
  close(): Promise<void>;
}

/** A headless Chromium controlled over the pipes of its debugging protocol: no port, no package. */
async function startBrowser(path: string): Promise<Browser> {
  const profile = temporaryFolder('chromium');
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-extensions'];
  const child = spawn(
    path,
    [...flags, ...quiet, `--user-data-dir=${profile}`, '--remote-debugging-pipe', 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const { send, listeners } = speak(
    child.stdio[3] as NodeJS.WritableStream,
    child.stdio[4] as NodeJS.ReadableStream,
    exited,
  );
  return {
    open: (file, view) => openPage(send, listeners, pathToFileURL(file).href, view),
    visit: (url, view) => openPage(send, listeners, url, view),
    close: async () => {
      await send('Browser.close').catch(() => {});
      await exited;
    },
  };
}

let shared: Promise<Browser> | null = null;
after(async () => {
  await (await shared)?.close();
});

/** The browser of all tests of a process: to start one takes longer than most of them do. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= startBrowser(chromiumPath ?? '');
  return shared;
}

const UNTIL_MS_MAX = 20_000;

/** Waits until an expression holds, on the page that is shown by then. */
export async function until(page: OpenPage, expression: string): Promise<void> {
  const deadline = Date.now() + UNTIL_MS_MAX;
  for (;;) {
    // While one page replaces another, no expression can be evaluated.
    if (await page.evaluate<boolean>(expression).catch(() => false)) return;
    if (Date.now() > deadline) throw new Error(`never came true: ${expression}`);
    await sleep(20);
  }
}

type Send = (method: string, params?: Params, session?: string) => Promise<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** Requests and answers are JSON texts that end in a zero byte. */
function speak(input: NodeJS.WritableStream, output: NodeJS.ReadableStream, exited: Promise<void>) {
  const waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (cause: Error) => void }
  >();
  const listeners = new Set<Listener>();
  let nextId = 1;
  let rest = '';
  let isOver = false;
  const receive = (message: Message): void => {
    if (message.id === undefined) {
      for (const listener of listeners) listener(message.method ?? '', message.params ?? {}, message.sessionId);
      return;
    }
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) request?.resolve(message.result ?? {});
    else request?.reject(new Error(message.error.message));
  };
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) receive(JSON.parse(message) as Message);
  });
  input.on('error', () => {});
  void exited.then(() => {
    isOver = true;
    for (const { reject } of waiting.values()) reject(new Error('the browser has ended'));
  });
  const send: Send = (method, params = {}, session) =>
    new Promise((resolve, reject) => {
      if (isOver) reject(new Error('the browser has ended'));
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      input.write(
        `${JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) })}\0`,
      );
    });
  return { send, listeners };
}

async function openPage(sendAny: Send, listeners: Set<Listener>, url: string, view: View): Promise<OpenPage> {
  const { targetId } = (await sendAny('Target.createTarget', { url: 'about:blank' })) as { targetId: string };
  const attached = await sendAny('Target.attachToTarget', { targetId, flatten: true });
  const session = attached.sessionId as string;
  const send = (method: string, params?: Params) => sendAny(method, params, session);
  const complaints: string[] = [];
  const requests: string[] = [];
  let loaded = (): void => {};
  const onLoad = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  const listener: Listener = (method, params, from) => {
    if (from !== session) return;
    if (method === 'Page.loadEventFired') loaded();
    if (['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'].includes(method)) {
      complaints.push(JSON.stringify(params));
    }
    if (method === 'Network.requestWillBeSent') {
      const { url: asked } = params.request as { url: string };
      if (asked !== url && !asked.startsWith('data:')) requests.push(asked);
    }
  };
  listeners.add(listener);
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);
  await send('Emulation.setDeviceMetricsOverride', {
    width: view.width,
    height: view.height ?? 900,
    deviceScaleFactor: 1,
    mobile: view.width < 600,
  });
  await send('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-color-scheme', value: view.theme ?? 'light' }],
  });
  if (view.script === false) await send('Emulation.setScriptExecutionDisabled', { value: true });
  await send('Emulation.setScrollbarsHidden', { hidden: true });
  await send('Page.navigate', { url });
  await onLoad;
  return {
    complaints,
    requests,
    send,
    evaluate: async <T>(expression: string) => {
      const answer = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
      if (answer.exceptionDetails !== undefined) throw new Error(JSON.stringify(answer.exceptionDetails));
      return (answer.result as { value: T }).value;
    },
    press: async (key) => {
      const code = key === 'Enter' ? 13 : 9;
      const text = key === 'Enter' ? { text: '\r' } : {};
      await send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, windowsVirtualKeyCode: code, ...text });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode: code });
    },
    close: async () => {
      listeners.delete(listener);
      await sendAny('Target.closeTarget', { targetId });
    },
  };
}

/** Lowest contrast of visible text against what is painted behind it, and the text that has it. */
export const worstContrast = `(() => {
  const rgb = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const over = (top, under) => ({ r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a), b: top.b * top.a + under.b * (1 - top.a), a: 1 });
  const channel = (value) => { const v = value / 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const light = ({ r, g, b }) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(rgb(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), { r: 255, g: 255, b: 255, a: 1 });
  };
  let worst = { ratio: 99, text: '' };
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (!own || !element.checkVisibility() || element.closest('script,title,:disabled')) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const front = over(rgb(element instanceof SVGElement ? style.fill : style.color), back);
    const [high, low] = [light(front), light(back)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < worst.ratio) worst = { ratio, text: element.className + ': ' + element.textContent.slice(0, 40) };
  }
  return worst;
})()`;
