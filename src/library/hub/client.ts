import { Failure } from '../../errors.ts';
import { createExchange, headerOf, type Answer, type HubAccess } from './exchange.ts';
import { Interrupted } from './interrupted.ts';
import { withPatience } from './patience.ts';
import { refusalOf, type Asked } from './refusal.ts';

export type Hash = { kind: 'sha256' | 'git-sha1'; value: string };

/** A file as the hub has it at one commit. */
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

/** What the hub says about models and files, without the files themselves. */
export function createHubClient(access: HubAccess & { retryMs: number }) {
  const { endpoint, retryMs } = access;

  async function withExchange<Result>(
    signal: AbortSignal,
    work: (exchange: ReturnType<typeof createExchange>) => Promise<Result>,
  ): Promise<Result> {
    const exchange = createExchange(access);
    try {
      return await withPatience(() => work(exchange), { retryMs, signal });
    } catch (error) {
      throw unreachable(error, endpoint);
    } finally {
      await exchange.close();
    }
  }

  async function readJson(path: string, asked: Asked, signal: AbortSignal): Promise<unknown> {
    return withExchange(signal, async (exchange) => {
      const { answer } = await exchange.ask(endpoint + path, {
        headers: { accept: 'application/json' },
        signal,
      });
      if (answer.statusCode !== 200) throw await refuse(answer, asked);
      return answer.body.json();
    });
  }

  return {
    endpoint,

    /** Size, hash and commit of a file, from the headers of its download address. */
    entry: (repo: string, path: string, revision: string, signal: AbortSignal): Promise<HubEntry> =>
      withExchange(signal, async (exchange) => {
        const address = resolveAddress(endpoint, { repo, commit: revision, path });
        const { answer } = await exchange.ask(address, { method: 'HEAD', signal, stayAtHub: true });
        if (answer.statusCode >= 400) throw await refuse(answer, { endpoint, repo, path, revision });
        await answer.body.dump();
        return readEntry(answer, { repo, path });
      }),

    async model(repo: string, revision: string | undefined, signal: AbortSignal): Promise<HubModel> {
      const where = revision === undefined ? '' : `/revision/${encodeURIComponent(revision)}`;
      const path = `/api/models/${repo}${where}?blobs=true`;
      const model = (await readJson(path, { endpoint, repo, revision }, signal)) as RawModel;
      return {
        repo: model.id ?? repo,
        commit: model.sha ?? revision ?? 'main',
        licence: licenceOf(model),
        isGated: Boolean(model.gated),
        files: (model.siblings ?? []).map(({ rfilename, size, lfs }) => ({
          path: rfilename,
          bytes: lfs?.size ?? size,
          sha256: lfs?.sha256,
        })),
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
      const found = (await readJson(
        `/api/models?${query.toString()}`,
        { endpoint, repo: text },
        signal,
      )) as RawModel[];
      return found.map((model) => ({
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
  siblings?: { rfilename: string; size?: number; lfs?: { sha256?: string; size?: number } }[];
};

export type Address = { repo: string; commit: string; path: string };

export function resolveAddress(endpoint: string, { repo, commit, path }: Address): string {
  return `${endpoint}/${repo}/resolve/${encodeURIComponent(commit)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** A file of the large-file store is named by its sha256, any other by git's own hash of it. */
function readEntry(answer: Answer, { repo, path }: { repo: string; path: string }): HubEntry {
  const commit = headerOf(answer, 'x-repo-commit');
  const name = (headerOf(answer, 'x-linked-etag') ?? headerOf(answer, 'etag') ?? '').replace(/^W\/|"/g, '');
  const bytes = Number(headerOf(answer, 'x-linked-size') ?? headerOf(answer, 'content-length'));
  const kind = /^[0-9a-f]{64}$/.test(name) ? 'sha256' : /^[0-9a-f]{40}$/.test(name) ? 'git-sha1' : undefined;
  if (commit === undefined || kind === undefined || !Number.isSafeInteger(bytes)) {
    throw new Failure(
      'hub_unreachable',
      `The hub names no commit, size or hash for ${repo}/${path}, so it could not be verified. Is HF_ENDPOINT right?`,
    );
  }
  return { repo, path, commit, bytes, hash: { kind, value: name } };
}

function licenceOf({ cardData, tags = [] }: RawModel): string | undefined {
  return cardData?.license ?? tags.find((tag) => tag.startsWith('license:'))?.slice('license:'.length);
}

async function refuse(answer: Answer, asked: Asked): Promise<Error> {
  await answer.body.dump();
  return refusalOf(answer, asked);
}

export function unreachable(error: unknown, endpoint: string): unknown {
  if (!(error instanceof Interrupted)) return error;
  return new Failure('hub_unreachable', `The model hub ${endpoint} cannot be used now: ${error.message}.`, {
    cause: error,
  });
}
