import { anySignal } from '../../../src/base/any-signal.ts';
import {
  addAlias,
  cancelPull,
  diagnose,
  getPull,
  listPulls,
  pausePull,
  removeArtifact,
  resumePull,
  searchHub,
  startPull,
  watchPull,
} from '../../../src/api/management/library.ts';
import type { Download } from '../../../src/library/download/downloads.ts';
import type { Services } from '../../compose.ts';
import { diagnoseLibrary } from '../../diagnostics.ts';
import { toArtifact, toPreview, toPull } from '../../status/library-records.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { forgetKeys } from './upstreams.ts';
import { sendEvents, toEvent } from '../../http/sse.ts';

export function registerLibrary(register: RegisterRoute, services: Services): void {
  const { library, downloads, pulls, pool, log, stopping } = services;

  register(startPull, async ({ body, client }) => {
    const {
      model,
      tier,
      accept_licence: acceptLicence = false,
      offline = false,
      dry_run: dryRun = false,
    } = body;
    const pulled = await pulls.pull({ model, acceptLicence, offline, dryRun, ...(tier && { tier }) }, client);
    const { artifact, download, service, reason, preview } = pulled;
    return {
      artifact: artifact && toArtifact(artifact, services),
      pull: download && toPull(download),
      service,
      reason,
      ...(preview && { preview: toPreview(preview) }),
    };
  });

  register(listPulls, () => ({ pulls: downloads.list().map(toPull) }));
  register(getPull, ({ params }) => toPull(downloads.find(params['id'] ?? '')));
  register(pausePull, async ({ params }) => toPull(await downloads.pause(params['id'] ?? '')));
  register(resumePull, ({ params }) => toPull(downloads.resume(params['id'] ?? '')));
  register(cancelPull, async ({ params }) => toPull(await downloads.cancel(params['id'] ?? '')));

  register(watchPull, async ({ params, client, reply, requestId }) => {
    const id = params['id'] ?? '';
    downloads.find(id);
    const signal = anySignal(client, stopping.signal);
    return sendEvents({
      reply,
      blocks: toBlocks(downloads.watch(id, signal), client),
      onFailure: ({ code }) =>
        log.debug({ request_id: requestId, code }, 'the progress stream of a download failed'),
    });
  });

  register(removeArtifact, async ({ body }) => {
    const { id, freedBytes, kept } = library.remove(body.model, { force: body.force ?? false });
    await pool.stop(id);
    forgetKeys(services);
    return { id, freed_bytes: freedBytes, kept };
  });

  register(addAlias, ({ body }) => ({
    alias: body.alias,
    artifact: library.addAlias(body.alias, body.model).id,
  }));

  register(searchHub, async ({ body, client }) => {
    const found = await pulls.search(body.text, client);
    return { models: found.map((model) => ({ ...model, licence: model.licence ?? null })) };
  });

  register(diagnose, async ({ body, client }) => ({
    findings: await diagnoseLibrary(services, { hashes: body.hashes ?? false }, client),
  }));
}

/** A client that disconnects ends only its stream, not the download. */
async function* toBlocks(states: AsyncIterable<Download>, client: AbortSignal): AsyncGenerator<string> {
  try {
    for await (const state of states) yield toEvent(toPull(state));
  } catch (error) {
    if (!client.aborted) throw error;
  }
}
