import type { FastifyInstance } from 'fastify';
import type { Services } from '../compose.ts';
import { registerApp } from './app.ts';
import { registerCheckout } from './checkout.ts';
import { registerPage, readPage } from './page.ts';

/** The pages of the daemon. Those with a script contain no account data: they fetch it from the API. */
export function registerPages(app: FastifyInstance, services: Services): void {
  registerCheckout(app, services);
  app.get('/', (_request, reply) => reply.redirect('/dashboard'));
  registerPage(app, '/login', readPage({ html: './login/login.html', script: './login/login.js' }));
  registerApp(app);
}
