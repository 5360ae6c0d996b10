import type { CookieOptions } from 'express';
import type { Adapters } from '../route.js';
import { withSuccess } from '../schemas.js';

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
export const loginAdapters: Adapters = {
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
