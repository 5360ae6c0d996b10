import type { CookieOptions, Response } from 'express';
import type { ReplyOf } from '../../contract/index.js';
import type { Adapters, UnaryAdapter } from '../route.js';
import { type JsonSchema, type Schemas, withSuccess } from '../schemas.js';
import { corpusAdapters, deployedAdapters, evaluationAdapters, seriesAdapters } from './streams.js';

/** A conversation stands at the root and under `context`, because existing clients read either. */
const conversationAdapters: Adapters = {
  'Assistant.Get': {
    toJson: ({ context }) => ({ success: true, context, ...context }),
    describe(schemas) {
      const context = schemas.object('ConversationContext', 'reply');
      const { properties } = schemas.object('ConversationRead', 'reply');
      return withSuccess({ ...context, properties: { ...properties, ...context.properties } });
    },
  },
};

/** The fields of the state may stand at the root of the body, as the first clients sent them. */
const executionStateAdapters: Adapters = {
  'Strategies.SetExecutionState': {
    takesAnyKey: true,
    toRequest: ({ params, body }) => ({ ...params, execution_state: body.execution_state ?? body }),
  },
};

/** The configuration is at the root, as the client sent it. Fields of the service override its keys. */
const flat = ({ config, ...known }: ReplyOf<'Experiments.Get'>): unknown => ({
  ...(config as object),
  success: true,
  ...known,
});

const described = (schemas: Schemas): JsonSchema => ({
  ...withSuccess(schemas.object('Experiment', 'reply', ['config'])),
  additionalProperties: {},
});

const frames: JsonSchema = {
  type: 'string',
  description:
    'Server-sent events, each with the progress as in an experiment: one at once, then one on every change and at least every 15 seconds.',
};

const experimentAdapters: Adapters = {
  'Experiments.Create': { toJson: flat, describe: described },
  'Experiments.Get': { toJson: flat, describe: described },
  'Experiments.ListRows': {
    stream: {
      contentType: 'application/vnd.apache.parquet',
      open: (rpc, request, options) => rpc.stream('Experiments.ReadRows', request, options),
      bytesIn: 'parquet',
      headers: { run_from: 'X-Run-From', run_to: 'X-Run-To' },
    },
  },
  'Experiments.WatchProgress': { toFrames: (reply) => [{ data: reply }], describe: () => frames },
};

/**
 * The page carries its own content security policy, which allows its script by hash; the policy of
 * the API would block the script.
 */
const sendPage = ({ html }: { readonly html: string }, response: Response): void => {
  response.set({ 'Content-Security-Policy': "frame-ancestors 'none'", 'Cache-Control': 'no-store' });
  response.type('html').send(html);
};

const page = {
  contentType: 'text/html',
  send: sendPage,
  describe: () => ({ type: 'string' }),
} satisfies UnaryAdapter<'Backtests.GetReport'>;

/** Reports are pages for a browser. */
const pageAdapters: Adapters = {
  'Backtests.GetReport': page,
  'Experiments.GetReport': page,
};

/** Binds a login by redirect to the browser that began it. */
const LOGIN_COOKIE = 'barline_login';
/** As long as the attempt is open. */
const LOGIN_MS = 600_000;

/** Lax, because the browser comes back from another site. */
function loginCookie(callback: string): CookieOptions {
  const { protocol, pathname } = new URL(callback);
  return { httpOnly: true, sameSite: 'lax', secure: protocol === 'https:', path: pathname };
}

/** A login by redirect happens in a browser: it gets a redirect, a cookie and a page. */
const loginAdapters: Adapters = {
  'Auth.StartRedirect': {
    send({ location, browser_key, callback }, response) {
      response.cookie(LOGIN_COOKIE, browser_key, { ...loginCookie(callback), maxAge: LOGIN_MS });
      response.redirect(302, location);
    },
  },
  'Auth.FinishRedirect': {
    send({ login, page }, response) {
      if (login !== null) response.json({ success: true, ...login });
      else if (page !== null) response.set(page.headers).send(page.html);
    },
    describe: (schemas) => withSuccess(schemas.object('LoginReply', 'reply')),
  },
};

/** What REST has that the contract cannot say, by method; each file states its reason. */
export const adapters: Adapters = {
  ...conversationAdapters,
  ...corpusAdapters,
  ...deployedAdapters,
  ...evaluationAdapters,
  ...executionStateAdapters,
  ...experimentAdapters,
  ...loginAdapters,
  ...pageAdapters,
  ...seriesAdapters,
};
