import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createFaults, type Fault } from './faults.ts';
import { pour, type Served } from './pour.ts';
import { pageOfTree, type HubFile } from './tree.ts';

export type HubOptions = {
  /** Bytes per second of the store, for all connections together. */
  bytesPerSecond?: number;
  token?: string;
  /** Entries per page of a file list; the real one has a thousand. */
  filesPerPage?: number;
};

export type Hub = Awaited<ReturnType<typeof openHub>>;

/** A local hub that speaks the protocol of the real one: metadata, redirects to signed URLs of a store, ranges. */
export async function openHub({ bytesPerSecond, token, filesPerPage = 1000 }: HubOptions = {}) {
  const repos = new Map<string, Map<string, HubFile>>();
  const licences = new Map<string, string | undefined>();
  const gated = new Map<string, string | undefined>();
  const commit = createHash('sha1').update('commit').digest('hex');
  const asked: { method: string; url: string; authorization: string | undefined }[] = [];
  const served: Served[] = [];
  const faults = createFaults();
  let signature = 'first';
  let open = true;
  let holdAfterBytes = Infinity;

  const store = createServer((request, response) => void serve(request, response));
  const hub = createServer((request, response) => {
    const { method = 'GET', url = '', headers } = request;
    asked.push({ method, url, authorization: headers.authorization });
    answer(request, response);
  });
  const storePort = await listen(store);
  const hubPort = await listen(hub);
  const storeUrl = `http://127.0.0.1:${storePort}`;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://hub');
    const fault = faults.take(`hub${url.pathname}`);
    if (fault?.kind === 'status') return refuse(response, fault.status, fault.headers);
    const model = /^\/api\/models\/([^/]+\/[^/]+)(?:\/revision\/(.+))?$/.exec(url.pathname);
    if (url.pathname === '/api/models') return sendJson(response, list(url.searchParams.get('search') ?? ''));
    const tree = /^\/api\/models\/([^/]+\/[^/]+)\/tree\/([^/]+)$/.exec(url.pathname);
    const repo = model?.[1] ?? tree?.[1] ?? /^\/([^/]+\/[^/]+)\/resolve\//.exec(url.pathname)?.[1] ?? '';
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
      return refuse(response, 401);
    const files = repos.get(repo);
    if (files === undefined) return refuse(response, 404, { 'x-error-code': 'RepoNotFound' });
    if (model) return sendJson(response, describe(repo));
    if (tree) return sendTree(response, files, url);
    const locked = gated.has(repo) ? statusOfGate(gated.get(repo), request) : undefined;
    if (locked !== undefined) return refuse(response, locked, { 'x-error-code': 'GatedRepo' });
    const path = decodeURIComponent(url.pathname.replace(/^\/[^/]+\/[^/]+\/resolve\/[^/]+\//, ''));
    const file = files.get(path);
    if (file === undefined) return refuse(response, 404, { 'x-error-code': 'EntryNotFound' });
    resolve(request, response, { repo, path, file });
  }

  function describe(repo: string) {
    return { id: repo, sha: commit, gated: false, cardData: { license: licences.get(repo) } };
  }

  function sendTree(response: ServerResponse, files: ReadonlyMap<string, HubFile>, url: URL): void {
    const { entries, next } = pageOfTree(files, {
      from: Number(url.searchParams.get('cursor')),
      filesPerPage,
    });
    if (next !== undefined) {
      url.searchParams.set('cursor', String(next));
      response.setHeader('link', `<http://127.0.0.1:${hubPort}${url.pathname}${url.search}>; rel="next"`);
    }
    sendJson(response, entries);
  }

  function list(text: string) {
    return [...repos.keys()]
      .filter((repo) => repo.toLowerCase().includes(text.toLowerCase()))
      .map((id) => ({ id, downloads: 1200, likes: 34, tags: [`license:${licences.get(id) ?? 'other'}`] }));
  }

  type Resolved = { repo: string; path: string; file: HubFile };

  /** Large files are elsewhere, behind a signed URL; small ones come from the hub itself. */
  function resolve(request: IncomingMessage, response: ServerResponse, { repo, path, file }: Resolved): void {
    const { content, isLarge, hash: etag } = file;
    const headers = { 'x-repo-commit': commit, etag: `"${etag}"` };
    if (!isLarge) {
      response.writeHead(200, { ...headers, 'content-length': content.length });
      return void response.end(request.method === 'HEAD' ? undefined : content);
    }
    const location = `${storeUrl}/${repo}/${path}?signature=${signature}`;
    response.writeHead(302, {
      ...headers,
      'x-linked-etag': `"${etag}"`,
      'x-linked-size': content.length,
      location,
    });
    response.end();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', storeUrl);
    const [, owner = '', name = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    const file = repos.get(`${owner}/${name}`)?.get(rest.join('/'));
    const fault = faults.take(`store${url.pathname}`);
    if (file === undefined) return refuse(response, 404);
    if (fault?.kind === 'status') return refuse(response, fault.status, fault.headers);
    if (fault?.kind === 'expired') signature = randomBytes(4).toString('hex');
    if (url.searchParams.get('signature') !== signature) return refuse(response, 403);
    const content = fault?.kind === 'short-file' ? file.content.subarray(0, fault.bytes) : file.content;
    const range =
      fault?.kind === 'ignore-range' ? undefined : /^bytes=(\d+)-(\d+)?$/.exec(request.headers.range ?? '');
    const start = range ? Number(range[1]) : 0;
    const end = Math.min(content.length, range?.[2] === undefined ? content.length : Number(range[2]) + 1);
    const entry = { path: url.pathname, start, end: start, authorization: request.headers.authorization };
    served.push(entry);
    response.writeHead(range ? 206 : 200, {
      'content-length': end - start,
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${content.length}` }),
    });
    const isHeld = () => sentBytes(served) >= holdAfterBytes;
    await pour(response, { content, start, end, fault, bytesPerSecond, entry, isOpen: () => open, isHeld });
  }

  return {
    url: `http://127.0.0.1:${hubPort}`,
    storeUrl,
    commit,
    asked,
    served,
    add(repo: string, files: Record<string, Buffer | string>, licence: string | null = 'apache-2.0'): void {
      licences.set(repo, licence ?? undefined);
      const entries = Object.entries(files).map(([path, content]) => {
        const bytes = typeof content === 'string' ? Buffer.from(content) : content;
        const isLarge = typeof content !== 'string';
        return [path, { content: bytes, isLarge, hash: isLarge ? sha256(bytes) : gitSha1(bytes) }] as const;
      });
      repos.set(repo, new Map([...(repos.get(repo) ?? []), ...entries]));
    },
    /** The store sends about this many bytes in total, until more are allowed. */
    holdAfter: (bytes: number) => void (holdAfterBytes = bytes),
    gate: (repo: string, opensWith?: string) => void gated.set(repo, opensWith),
    /** Makes the next responses to a matching request fail. `hub/…` and `store/…` are the two servers. */
    fail(pattern: RegExp, fault: Fault, times = 1): void {
      faults.add(pattern, fault, times);
    },
    environment: (cache: string) => ({
      HF_ENDPOINT: `http://127.0.0.1:${hubPort}`,
      HF_HUB_CACHE: cache,
      HF_HOME: cache,
      HF_TOKEN: '',
      OLLAMA_MODELS: `${cache}/none`,
      LLAMA_CACHE: `${cache}/none`,
    }),
    close: async (): Promise<void> => {
      open = false;
      for (const server of [hub, store]) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

export function gitSha1(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end('refused');
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Undefined if access is allowed. */
function statusOfGate(token: string | undefined, { headers }: IncomingMessage): number | undefined {
  if (headers.authorization === undefined) return 401;
  return headers.authorization === `Bearer ${token}` ? undefined : 403;
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function sentBytes(served: readonly Served[]): number {
  return served.reduce((sum, { start, end }) => sum + end - start, 0);
}
