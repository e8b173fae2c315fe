import { anySignal } from '../../../src/base/any-signal.ts';
import {
  addAlias,
  cancelPull,
  examine,
  getPull,
  listCatalog,
  listPulls,
  removeArtifact,
  searchHub,
  startPull,
  watchPull,
} from '../../../src/api/management/library.ts';
import type { Download } from '../../../src/library/download/downloads.ts';
import type { Services } from '../../compose.ts';
import { examineLibrary } from '../../diagnostics.ts';
import { toArtifact, toCatalogEntry, toPull } from '../../status/library-records.ts';
import type { Mount } from '../../http/register-route.ts';
import { forgetKeys } from './upstreams.ts';
import { sendEvents, toEvent } from '../../http/sse.ts';

export function mountLibrary(mount: Mount, services: Services): void {
  const { library, downloads, pulls, pool, log, stopping } = services;

  mount(startPull, async ({ body, client }) => {
    const { model, tier, accept_licence: acceptLicence = false, offline = false } = body;
    const pulled = await pulls.pull({ model, acceptLicence, offline, ...(tier && { tier }) }, client);
    const { service, reason } = pulled;
    if ('state' in pulled) return { artifact: null, pull: toPull(pulled), service, reason };
    return { artifact: toArtifact(pulled.artifact, services), pull: null, service, reason };
  });

  mount(listPulls, () => ({ pulls: downloads.list().map(toPull) }));
  mount(getPull, ({ params }) => toPull(downloads.find(params['id'] ?? '')));
  mount(cancelPull, async ({ params }) => toPull(await downloads.cancel(params['id'] ?? '')));

  mount(watchPull, async ({ params, client, reply, requestId }) => {
    const id = params['id'] ?? '';
    downloads.find(id);
    const signal = anySignal(client, stopping.signal);
    return sendEvents({
      reply,
      blocks: toBlocks(downloads.watch(id, signal), client),
      onFailure: ({ code }) => log.debug({ request_id: requestId, code }, 'watching a download ended'),
    });
  });

  mount(listCatalog, () => ({
    catalog: library.catalog.filter(({ hub }) => hub).map((each) => toCatalogEntry(each, services)),
  }));

  mount(removeArtifact, async ({ body }) => {
    const { id, freedBytes, kept } = library.remove(body.model, { force: body.force ?? false });
    await pool.stop(id);
    forgetKeys(services);
    return { id, freed_bytes: freedBytes, kept };
  });

  mount(addAlias, ({ body }) => ({
    alias: body.alias,
    artifact: library.addAlias(body.alias, body.model).id,
  }));

  mount(searchHub, async ({ body, client }) => {
    const found = await pulls.search(body.text, client);
    return { models: found.map((model) => ({ ...model, licence: model.licence ?? null })) };
  });

  mount(examine, async ({ body, client }) => ({
    findings: await examineLibrary(services, { hashes: body.hashes ?? false }, client),
  }));
}

/** A client that leaves ends the watching, which is no failure of the download. */
async function* toBlocks(states: AsyncIterable<Download>, client: AbortSignal): AsyncGenerator<string> {
  try {
    for await (const state of states) yield toEvent(toPull(state));
  } catch (error) {
    if (!client.aborted) throw error;
  }
}
