import type { FastifyInstance } from 'fastify';
import type { Services } from '../compose.ts';
import { mountCheckout } from './checkout.ts';
import { mountPage, readPage } from './page.ts';

/** What the daemon shows in a browser. Pages with a script hold nothing of an account: they ask the API for it. */
export function mountPages(app: FastifyInstance, services: Services): void {
  mountCheckout(app, services);
  app.get('/', (_request, reply) => reply.redirect('/dashboard'));
  mountPage(app, '/login', readPage({ html: './login/login.html', script: './login/login.js' }));
  mountPage(
    app,
    '/dashboard',
    readPage({ html: './dashboard/dashboard.html', script: './dashboard/dashboard.js' }),
  );
}
