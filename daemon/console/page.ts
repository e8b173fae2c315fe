import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { builtFile } from '../../src/base/paths.ts';

export type Page = { html: string; policy: string };

const STYLE = readText('./shared/page.css');

/** A page with inline style and script. The policy allows only these two texts, by their hashes. */
export function readPage({ html, script }: { html: string; script: string }): Page {
  const text = readText(script);
  return {
    html: readText(html)
      .replace('<!-- style -->', () => `<style>${STYLE}</style>`)
      .replace('<!-- script -->', () => `<script type="module">${text}</script>`),
    policy: contentPolicy({ style: STYLE, script: text }),
  };
}

/** A page without a script, generated for one response. */
export function formPage({ title, html }: { title: string; html: string }): Page {
  return {
    html: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} – askd</title>
    <link rel="icon" href="data:," />
    <style>${STYLE}</style>
  </head>
  <body>
    <main class="narrow">
      <h1>${title}</h1>
      ${html}
    </main>
  </body>
</html>
`,
    policy: contentPolicy({ style: STYLE }),
  };
}

export function registerPage(app: FastifyInstance, path: string, page: Page): void {
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

/** A page has a script or a form. */
function contentPolicy({ style, script }: { style: string; script?: string }): string {
  return [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    ...(script === undefined
      ? ["form-action 'self'"]
      : [`script-src ${hashSource(script)}`, "connect-src 'self'", "form-action 'none'"]),
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** The build copies the files beside this one that are not code. */
function readText(path: string): string {
  return readFileSync(builtFile(join('pages', path)), 'utf8');
}
