import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

export type Page = { html: string; policy: string };

const STYLE = readText('pages/shared/page.css');

/** A page with its style and its script inside. Only these two texts may run in it, by their hashes. */
export function readPage({ html, script }: { html: string; script: string }): Page {
  const text = readText(script);
  return {
    html: readText(html)
      .replace('<!-- style -->', () => `<style>${STYLE}</style>`)
      .replace('<!-- script -->', () => `<script type="module">${text}</script>`),
    policy: contentPolicy({ style: STYLE, script: text }),
  };
}

export function mountPage(app: FastifyInstance, path: string, page: Page): void {
  app.get(path, (_request, reply) => sendPage(reply, page));
}

export function sendPage(reply: FastifyReply, { html, policy }: Page): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(html);
}

function contentPolicy({ style, script }: { style: string; script: string }): string {
  return [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    `script-src ${hashSource(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** By its path in `daemon`: the build lays these files where the compiled ones are. */
function readText(path: string): string {
  return readFileSync(join(import.meta.dirname, '..', path), 'utf8');
}
