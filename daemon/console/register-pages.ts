import type { FastifyInstance } from 'fastify';
import type { Services } from '../compose.ts';
import { registerApp } from './app.ts';
import { registerCheckout } from './checkout.ts';
import { registerPage, readPage, type Page } from './page.ts';

/** The pages of the daemon. Those with a script contain no account data: they fetch it from the API. */
export function registerPages(app: FastifyInstance, services: Services): void {
  registerCheckout(app, services);
  app.get('/', (_request, reply) => reply.redirect('/dashboard'));
  registerPage(app, '/login', loginPage(services));
  registerApp(app);
}

/** Offers another place to sign in, if there is one. */
function loginPage({ oidcLogins }: Services): Page {
  const page = readPage({ html: './login/login.html', script: './login/login.js' });
  const provider = oidcLogins === undefined ? '' : button(new URL(oidcLogins.issuer).host);
  return { ...page, html: page.html.replace(/\n *<!-- provider -->/, provider) };
}

// A host contains no characters that are special in HTML.
const button = (host: string) =>
  `\n      <button id="provider" type="button" hidden>Sign in with ${host}</button>`;
