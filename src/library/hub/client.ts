import { Failure } from '../../base/errors.ts';
import { createHubRequests, headerOf, type Answer, type HubAccess } from './request.ts';
import { Interrupted } from './interrupted.ts';
import { withRetries } from './retry.ts';
import { refusalOf, type HubRequest } from './refusal.ts';

export type Hash = { kind: 'sha256' | 'git-sha1'; value: string };

/** A file of the hub at one commit. */
export type HubEntry = { repo: string; commit: string; path: string; bytes: number; hash: Hash };

export type HubModel = {
  repo: string;
  commit: string;
  licence: string | undefined;
  isGated: boolean;
  files: { path: string; bytes: number | undefined; sha256: string | undefined }[];
};

export type FoundModel = { repo: string; downloads: number; likes: number; licence: string | undefined };

export type HubClient = ReturnType<typeof createHubClient>;

/** The hub's metadata of models and files, without the files themselves. */
export function createHubClient(access: HubAccess & { retryMs: number }) {
  const { endpoint, retryMs } = access;

  async function withRequests<Result>(
    signal: AbortSignal,
    work: (requests: ReturnType<typeof createHubRequests>) => Promise<Result>,
  ): Promise<Result> {
    const requests = createHubRequests(access);
    try {
      return await withRetries(() => work(requests), { retryMs, signal });
    } catch (error) {
      throw unreachable(error, endpoint);
    } finally {
      await requests.close();
    }
  }

  async function readPage(address: string, request: HubRequest, signal: AbortSignal) {
    return withRequests(signal, async (requests) => {
      const { answer, url } = await requests.ask(address, {
        headers: { accept: 'application/json' },
        signal,
      });
      if (answer.statusCode !== 200) throw await refuse(answer, request);
      return { content: await answer.body.json(), next: nextPage(answer, url) };
    });
  }

  /** All files of a commit, over all pages. */
  async function readTree(repo: string, commit: string, signal: AbortSignal): Promise<RawFile[]> {
    const files: RawFile[] = [];
    let address: string | undefined =
      `${endpoint}/api/models/${repo}/tree/${encodeURIComponent(commit)}?recursive=true&expand=false`;
    for (let page = 1; address !== undefined; page++) {
      if (page > PAGES_MAX) throw tooMany(repo);
      const { content, next } = await readPage(address, { endpoint, repo, revision: commit }, signal);
      files.push(...(content as RawFile[]).filter(({ type }) => type === 'file'));
      address = next;
    }
    return files;
  }

  return {
    endpoint,

    /** Size, hash and commit of a file, from the headers of its download URL. */
    entry: (repo: string, path: string, revision: string, signal: AbortSignal): Promise<HubEntry> =>
      withRequests(signal, async (requests) => {
        const address = resolveAddress(endpoint, { repo, commit: revision, path });
        const { answer } = await requests.ask(address, { method: 'HEAD', signal, stayAtHub: true });
        if (answer.statusCode >= 400) throw await refuse(answer, { endpoint, repo, path, revision });
        await answer.body.dump();
        return readEntry(answer, { repo, path });
      }),

    async model(repo: string, revision: string | undefined, signal: AbortSignal): Promise<HubModel> {
      const where = revision === undefined ? '' : `/revision/${encodeURIComponent(revision)}`;
      const address = `${endpoint}/api/models/${repo}${where}`;
      const { content } = await readPage(address, { endpoint, repo, revision }, signal);
      const model = content as RawModel;
      const name = model.id ?? repo;
      const commit = model.sha ?? revision ?? 'main';
      const files = await readTree(name, commit, signal);
      return {
        repo: name,
        commit,
        licence: licenceOf(model),
        isGated: Boolean(model.gated),
        files: files.map(({ path, size, lfs }) => ({ path, bytes: lfs?.size ?? size, sha256: lfs?.oid })),
      };
    },

    async search(text: string, signal: AbortSignal): Promise<FoundModel[]> {
      const query = new URLSearchParams({
        search: text,
        filter: 'gguf',
        sort: 'downloads',
        limit: '20',
        full: 'true',
      });
      const address = `${endpoint}/api/models?${query.toString()}`;
      const { content } = await readPage(address, { endpoint, repo: text }, signal);
      return (content as RawModel[]).map((model) => ({
        repo: model.id ?? '',
        downloads: model.downloads ?? 0,
        likes: model.likes ?? 0,
        licence: licenceOf(model),
      }));
    },
  };
}

type RawModel = {
  id?: string;
  sha?: string;
  gated?: boolean | string;
  downloads?: number;
  likes?: number;
  tags?: string[];
  cardData?: { license?: string };
};

type RawFile = { type: string; path: string; size?: number; lfs?: { oid?: string; size?: number } };

/** With a thousand files each. */
const PAGES_MAX = 100;

function nextPage(answer: Answer, url: string): string | undefined {
  const link = /<([^>]+)>\s*;[^,]*\brel="?next\b/.exec(headerOf(answer, 'link') ?? '')?.[1];
  return link === undefined ? undefined : new URL(link, url).href;
}

function tooMany(repo: string): Failure {
  return new Failure('hub_unreachable', `${repo} has too many files to be a model.`);
}

export type Address = { repo: string; commit: string; path: string };

export function resolveAddress(endpoint: string, { repo, commit, path }: Address): string {
  return `${endpoint}/${repo}/resolve/${encodeURIComponent(commit)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** An LFS file is named by its sha256, any other by its git hash. */
function readEntry(answer: Answer, { repo, path }: { repo: string; path: string }): HubEntry {
  const commit = headerOf(answer, 'x-repo-commit');
  const name = (headerOf(answer, 'x-linked-etag') ?? headerOf(answer, 'etag') ?? '').replace(/^W\/|"/g, '');
  const bytes = Number(headerOf(answer, 'x-linked-size') ?? headerOf(answer, 'content-length'));
  const kind = /^[0-9a-f]{64}$/.test(name) ? 'sha256' : /^[0-9a-f]{40}$/.test(name) ? 'git-sha1' : undefined;
  if (commit === undefined || kind === undefined || !Number.isSafeInteger(bytes)) {
    throw new Failure(
      'hub_unreachable',
      `The hub reports no commit, size or hash for ${repo}/${path}, so it cannot be verified. Check HF_ENDPOINT.`,
    );
  }
  return { repo, path, commit, bytes, hash: { kind, value: name } };
}

function licenceOf({ cardData, tags = [] }: RawModel): string | undefined {
  return cardData?.license ?? tags.find((tag) => tag.startsWith('license:'))?.slice('license:'.length);
}

async function refuse(answer: Answer, request: HubRequest): Promise<Error> {
  await answer.body.dump();
  return refusalOf(answer, request);
}

export function unreachable(error: unknown, endpoint: string): unknown {
  if (!(error instanceof Interrupted)) return error;
  return new Failure('hub_unreachable', `The model hub ${endpoint} is unavailable: ${error.message}.`, {
    cause: error,
  });
}
