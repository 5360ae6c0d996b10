import type { Response } from 'express';
import type { Adapters, UnaryAdapter } from '../route.js';

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
export const pageAdapters: Adapters = {
  'Backtests.GetReport': page,
  'Experiments.GetReport': page,
};
