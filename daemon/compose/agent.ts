import { createAgent } from '../../src/agent/agent.ts';
import { createMcpServers } from '../../src/agent/mcp/servers.ts';
import { createEmbedder } from '../../src/agent/reading/embedder.ts';
import { createSandbox } from '../../src/agent/tools/code.ts';
import { createDocs } from '../../src/agent/tools/docs.ts';
import { createExtractor } from '../../src/agent/tools/extract.ts';
import { createRead } from '../../src/agent/tools/read.ts';
import { createDuckduckgo } from '../../src/agent/tools/search/duckduckgo.ts';
import { createBrave, createTavily } from '../../src/agent/tools/search/paid.ts';
import type { SearchProvider, Send } from '../../src/agent/tools/search/provider.ts';
import { createSearxng } from '../../src/agent/tools/search/searxng.ts';
import { createSearch } from '../../src/agent/tools/search.ts';
import { createAgentOutbound } from '../../src/agent/outbound.ts';
import type { Clock } from '../../src/base/clock.ts';
import { refuseInputOfBatch } from '../../src/responses/batches/batches.ts';
import { createFiles } from '../../src/responses/files.ts';
import { createVectorStores } from '../../src/agent/vector-stores/vector-stores.ts';
import type { Settings } from '../../src/config/config.ts';
import { Failure } from '../../src/base/errors.ts';
import { openSeal } from '../../src/base/sealed.ts';
import type { Chat } from '../../src/inference/chat.ts';
import type { Embed } from '../../src/inference/embed.ts';
import type { Library } from '../../src/library/library.ts';
import type { Log } from '../../src/log/log.ts';
import { entryFile } from '../../src/base/paths.ts';
import type { Pool } from '../../src/runtime/pool.ts';
import type { DeferredWrites } from '../../src/store/deferred-writes.ts';
import type { Store } from '../../src/store/store.ts';
import type { Boot } from '../boot.ts';

type Parts = {
  settings: Settings;
  store: Store;
  deferred: DeferredWrites;
  clock: Clock;
  log: Log;
  boot: Boot;
  chat: Chat;
  embed: Embed;
  library: Library;
  pool: Pool;
  stopping: AbortController;
};

/** The agent and its tools. Only the settings decide what it may reach. */
export function composeAgent({
  settings,
  store,
  deferred,
  clock,
  log,
  boot,
  chat,
  embed,
  library,
  pool,
  stopping,
}: Parts) {
  const outbound = createAgentOutbound({
    ownPort: () => boot.address().port,
    allowOrigins: settings.agentAllowOrigins,
  });
  const seal = openSeal(settings.paths.sealKey);
  const mcpServers = createMcpServers({ store, seal, clock, log, outbound });
  const extractor = createExtractor(entryFile('src/agent/tools/extract/extract-worker.js'));
  const sandbox = createSandbox(entryFile('src/agent/tools/code/code-worker.js'));
  const embedder = createEmbedder({
    embed,
    artifactOf: (service) => artifactOf(library, service),
    isLoaded: (artifact) =>
      pool.status().some((each) => each.artifact === artifact && each.state === 'loaded'),
  });
  const docs = createDocs({ store, clock, extractor, embedder, folder: settings.paths.documents });
  const providers = settings.offline ? [] : providersOf(settings, (request) => outbound.request(request));
  const toolbox = {
    search: createSearch({ providers }),
    read: createRead({ outbound, extractor, store, clock }),
    docs,
    sandbox,
    mcp: mcpServers,
  };
  const reach = reachOf(settings, providers.length > 0);
  const deadlineMs = settings.agentDeadlineMs;
  const agent = createAgent({
    store,
    deferred,
    clock,
    log,
    chat,
    embedder,
    toolbox,
    reach,
    deadlineMs,
    stopping: stopping.signal,
  });
  const files = createFiles({
    ...{ store, clock, folder: settings.paths.files, bytesMax: settings.fileStoreBytes },
    onRemove(id) {
      refuseInputOfBatch(store, id);
      vectorStores.files.forget(id);
    },
  });
  const vectorStores = createVectorStores({
    ...{ store, clock, log, files, index: docs.index, extractor, embedder, stopping: stopping.signal },
  });
  async function closeAgent(): Promise<void> {
    await Promise.all([agent.close(), vectorStores.close(), mcpServers.close()]);
    await extractor.close();
  }
  return { agent, mcpServers, docs, extractor, files, vectorStores, closeAgent };
}

/** Without a search provider, the agent makes no outbound requests unless the owner allows it. */
function reachOf(
  { agentFetch, offline }: Settings,
  hasProvider: boolean,
): { search: boolean; fetch: boolean } {
  if (offline || agentFetch === 'off') return { search: false, fetch: false };
  if (agentFetch === 'search-only') return { search: hasProvider, fetch: false };
  return { search: hasProvider, fetch: agentFetch === 'public' || hasProvider };
}

function providersOf(settings: Settings, send: Send): SearchProvider[] {
  const { agentSearxngUrl, agentDuckduckgo, agentBraveKey, agentTavilyKey } = settings;
  return [
    ...(agentSearxngUrl === '' ? [] : [createSearxng({ base: agentSearxngUrl, send })]),
    ...(agentBraveKey === '' ? [] : [createBrave({ key: agentBraveKey, send })]),
    ...(agentTavilyKey === '' ? [] : [createTavily({ key: agentTavilyKey, send })]),
    ...(agentDuckduckgo ? [createDuckduckgo({ send })] : []),
  ];
}

/** Undefined if the service has no model on this machine: documents are then searched by keywords. */
function artifactOf(library: Library, service: string): string | undefined {
  try {
    return library.resolve(service).id;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
