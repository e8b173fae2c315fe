import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../src/base/errors.ts';
import { builtFile } from '../../src/base/paths.ts';
import { sendPage } from './page.ts';

const FOLDER = builtFile('console');
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** The names of assets change with their content. */
const FOREVER = 'public, max-age=31536000, immutable';
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  'media-src blob:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

type Asset = { plain: Buffer; compressed: Promise<Buffer> };

/** The console: one page for all of its addresses, and the files that the build created for it. */
export function registerApp(app: FastifyInstance): void {
  const assets = new Map<string, Asset>();
  app.get('/dashboard', (_request, reply) => sendPage(reply, { html: readIndex(), policy: POLICY }));
  app.get('/dashboard/*', (_request, reply) => sendPage(reply, { html: readIndex(), policy: POLICY }));
  app.get<{ Params: { name: string } }>('/dashboard/assets/:name', async (request, reply) => {
    const { name } = request.params;
    const asset = assets.get(name) ?? readAsset(name);
    if (asset === undefined) throw noSuchFile(name);
    assets.set(name, asset);
    return sendAsset(request, reply, { name, asset });
  });
}

async function sendAsset(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { name, asset }: { name: string; asset: Asset },
): Promise<FastifyReply> {
  const takesGzip = /\bgzip\b/.test(headers['accept-encoding'] ?? '');
  void reply.headers({
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control': FOREVER,
    vary: 'accept-encoding',
    ...(takesGzip && { 'content-encoding': 'gzip' }),
  });
  return reply.send(takesGzip ? await asset.compressed : asset.plain);
}

function readAsset(name: string): Asset | undefined {
  const folder = join(FOLDER, 'assets');
  // Only files from the build are listed here, so no path leads out of the folder.
  if (!readdirSync(folder).includes(name)) return undefined;
  const plain = readFileSync(join(folder, name));
  return { plain, compressed: promisify(gzip)(plain) };
}

function readIndex(): string {
  return readFileSync(join(FOLDER, 'index.html'), 'utf8');
}

function noSuchFile(name: string): Failure {
  return new Failure(
    'not_found',
    `The console has no file ${JSON.stringify(name)}. Reload the page: askd was updated while it was open.`,
  );
}
