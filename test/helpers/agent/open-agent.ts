import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAgent } from '../../../src/agent/agent.ts';
import type { Streamed } from '../../../src/agent/runs/broadcast.ts';
import { createMcpServers } from '../../../src/agent/mcp/servers.ts';
import type { Embedder } from '../../../src/agent/reading/embedder.ts';
import type { Caller } from '../../../src/agent/runs/runs.ts';
import { createSandbox } from '../../../src/agent/tools/code.ts';
import { createDocs } from '../../../src/agent/tools/docs.ts';
import { createExtractor } from '../../../src/agent/tools/extract.ts';
import { createRead } from '../../../src/agent/tools/read.ts';
import { createSearxng } from '../../../src/agent/tools/search/searxng.ts';
import { createSearch } from '../../../src/agent/tools/search.ts';
import type { Task } from '../../../src/agent/types.ts';
import { createAgentOutbound } from '../../../src/agent/outbound.ts';
import { openLog } from '../../../src/log/log.ts';
import { openSeal } from '../../../src/base/sealed.ts';
import { entryFile, homePaths } from '../../../src/base/paths.ts';
import { createDeferredWrites } from '../../../src/store/deferred-writes.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { settableClock } from '../clock.ts';
import { temporaryFolder } from '../temporary.ts';
import { checkEvents } from './event-grammar.ts';
import type { ScriptedChat } from './scripted-chat.ts';
import { asMarkdown, type WorldPage } from './world.ts';

export const CALLER: Caller = { accountId: 'acct_local', keyId: null };

export type TestAgent = Awaited<ReturnType<typeof openAgent>>;

export type OpenAgent = {
  chat: ScriptedChat;
  /** Written into a folder and indexed. */
  documents?: readonly WorldPage[];
  /** Of a search that is there, and the origin of its pages. */
  searxng?: string;
  site?: string;
  deadlineMs?: number;
  embedder?: Embedder;
  home?: string;
  ownPort?: number;
  /** How long it waits for a page, or for a search. */
  timeoutMs?: number;
  /** Wraps the database. */
  over?: (store: Store) => Store;
};

const NO_EMBEDDER: Embedder = {
  model: () => undefined,
  isLoaded: () => false,
  embed: () => Promise.reject(new Error('There is no embedder')),
};

type Mcp = Omit<Parameters<typeof createMcpServers>[0], 'seal'> & { key: string };
const openMcp = ({ key, ...parts }: Mcp) =>
  createMcpServers({ ...parts, seal: openSeal(key), callMsMax: 2000 });

/** The real agent with its real tools over its own store; only its model is scripted. */
export async function openAgent(options: OpenAgent) {
  const {
    chat,
    documents = [],
    searxng,
    site,
    deadlineMs = 60_000,
    embedder = NO_EMBEDDER,
    ownPort = 1,
    timeoutMs,
    over = (opened) => opened,
  } = options;
  const home = options.home ?? temporaryFolder();
  const paths = homePaths(home);
  const store = over(openStore(paths.database));
  const clock = settableClock();
  const { log, close: closeLog } = openLog({ paths, level: 'warn' });
  const outbound = createAgentOutbound({ ownPort: () => ownPort, allowOrigins: site ? [site] : [] });
  const extractor = createExtractor(entryFile('src/agent/tools/extract/extract-worker.js'));
  const docs = createDocs({ store, clock, extractor, embedder, folder: join(home, 'uploaded') });
  const providers =
    searxng === undefined
      ? []
      : [
          createSearxng({
            base: searxng,
            send: (request) =>
              outbound.request({
                ...request,
                timeoutMs: Math.min(request.timeoutMs, timeoutMs ?? Infinity),
              }),
          }),
        ];
  const stopping = new AbortController();
  const deferred = createDeferredWrites({ log });
  const mcpServers = openMcp({ store, clock, log, outbound, key: paths.sealKey });
  const agent = createAgent({
    ...{ store, deferred, clock, log, chat, embedder, deadlineMs, stopping: stopping.signal },
    toolbox: {
      search: createSearch({ providers }),
      read: createRead({
        ...{ outbound, extractor, store, clock },
        ...(timeoutMs !== undefined && {
          timeouts: { headersMs: timeoutMs, bodyMs: timeoutMs, totalMs: timeoutMs },
        }),
      }),
      docs,
      sandbox: createSandbox(entryFile('src/agent/tools/code/code-worker.js')),
      mcp: mcpServers,
    },
    reach: { search: providers.length > 0, fetch: site !== undefined },
  });
  onTestFinished(async () => {
    await Promise.all([agent.close().then(() => extractor.close()), mcpServers.close()]);
    deferred.close();
    store.close();
    await closeLog();
  });
  const context = { requestId: 'req_docs', ...CALLER, client: stopping.signal, daemon: stopping.signal };
  if (documents.length > 0) {
    const folder = join(home, 'documents');
    mkdirSync(folder, { recursive: true });
    for (const page of documents) writeFileSync(join(folder, `${page.path}.md`), asMarkdown(page));
    for await (const event of docs.add({ path: folder, name: 'world' }, context)) void event;
  }

  /** One complete run. Its events are checked against their grammar, whatever the test is about. */
  async function run(task: Partial<Task> & { query: string }, sessionId?: string) {
    const whole: Task = {
      ...{ mode: 'research', maxCycles: 5, model: 'm', sources: {}, budget: {}, seesCollections: true },
      ...task,
    };
    const started = agent.start(whole, CALLER, sessionId);
    const events: Streamed[] = [];
    for await (const event of started.follow({ withTokens: true })) events.push(event);
    await started.ended.catch(() => undefined);
    checkEvents(events, whole);
    const record = agent.find(started.id, CALLER);
    const last = events.at(-1);
    return { ...started, events, record, done: last?.type === 'done' ? last : undefined, last };
  }

  return { agent, mcpServers, store, deferred, clock, docs, run, chat, home, context, stopping };
}
