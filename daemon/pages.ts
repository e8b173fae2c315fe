import type { FastifyInstance } from 'fastify';
import { mountPage, readPage } from './pages/page.ts';

/** What the daemon shows in a browser. The pages hold nothing of an account: their scripts ask the API for it. */
export function mountPages(app: FastifyInstance): void {
  app.get('/', (_request, reply) => reply.redirect('/dashboard'));
  mountPage(app, '/login', readPage({ html: 'pages/login/login.html', script: 'pages/login/login.js' }));
  mountPage(
    app,
    '/dashboard',
    readPage({ html: 'pages/dashboard/dashboard.html', script: 'pages/dashboard/dashboard.js' }),
  );
}
