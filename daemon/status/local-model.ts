import type { LocalModel } from '../../src/api/management/models.ts';
import type { Download } from '../../src/library/download/downloads.ts';
import { formatBytes } from '../../src/base/units.ts';
import { pullCommand } from '../../src/library/missing.ts';
import { hasContext, type ModelManifest } from '../../src/runtime/manifest.ts';
import type { PoolEntryState } from '../../src/runtime/pool-entry.ts';
import type { Services } from '../compose.ts';

/** What this machine has for a service model: the bound artifact, or the one that would be installed. */
export function localService(service: string, services: Services): LocalModel {
  const fallbacks = services.library.fallbacksOf(service);
  return { ...localBound(service, services), ...(fallbacks.length > 0 && { fallbacks }) };
}

function localBound(service: string, services: Services): LocalModel {
  const bound = services.library.boundArtifact(service);
  if (bound) return withRemedy(localArtifact(bound, services), service, services);
  const coming = services.downloads.coming({ service });
  if (coming) return { ...localArtifact(coming, services), state: 'downloading' };
  const choice = services.library.choose(service)?.artifact;
  return {
    state: 'not_installed',
    artifact: null,
    engine: null,
    bytes: null,
    licence: null,
    memory_bytes: null,
    context_tokens: null,
    notice: choice ? `To install it: ${pullCommand(service, choice)}` : 'No engine of this askd can run it.',
  };
}

/** For a starter model, names a better one, or the one being downloaded and its progress. */
function withRemedy(local: LocalModel, service: string, { library, downloads }: Services): LocalModel {
  const artifact = library.boundArtifact(service);
  const choice = library.choose(service)?.artifact;
  if (artifact?.tier !== 'starter' || local.notice === undefined || choice === undefined) return local;
  const sentence = local.notice.replace(/[^.!?]$/, '$&.');
  const coming = downloads.coming({ service });
  const download = coming && downloads.list().find((each) => each.artifact === coming.id);
  if (download) return { ...local, notice: `${sentence} ${comingText(download)}` };
  return { ...local, notice: `${sentence} A larger one: ${pullCommand(service, choice)}` };
}

function comingText({ name, bytesReceived, bytesTotal }: Download): string {
  const percent = bytesTotal === 0 ? 0 : Math.floor((bytesReceived / bytesTotal) * 100);
  return `${name} is downloading: ${percent}% of ${formatBytes(bytesTotal)}.`;
}

export function localArtifact(artifact: ModelManifest, services: Services): LocalModel {
  const { library, pool, settings, contextOf } = services;
  const loaded = pool.status().find((entry) => entry.artifact === artifact.id);
  const notice = library.obstacleTo(artifact) ?? artifact.notice;
  const planned = loaded || !hasContext(artifact) ? undefined : contextOf(artifact);
  const reason = planned?.reason ?? loaded?.context_reason;
  return {
    state: loaded ? loadedState(loaded) : stateOf(artifact, services),
    artifact: artifact.id,
    engine: artifact.engine,
    bytes: artifact.bytes,
    licence: artifact.licence,
    memory_bytes: loaded?.bytes ?? null,
    context_tokens: planned?.contextTokens ?? loaded?.context_tokens ?? null,
    ...(typeof reason === 'string' && { context_reason: reason }),
    ...(keepsContext(artifact) && {
      flash_attention: loaded?.flash_attention ?? settings.flashAttention,
      kv_cache_type: loaded?.kv_cache_type ?? settings.kvCacheType,
    }),
    ...(notice !== undefined && { notice }),
  };
}

function keepsContext({ engine, tasks }: ModelManifest): boolean {
  return engine === 'llama' && !tasks.includes('embed') && !tasks.includes('rerank');
}

/** Files alone do not make a model ready: an engine must be able to run them. */
function stateOf(artifact: ModelManifest, { library, downloads }: Services): LocalModel['state'] {
  if (library.isPresent(artifact))
    return library.obstacleTo(artifact) === undefined ? 'ready' : 'not_installed';
  return downloads.coming({ artifact: artifact.id }) ? 'downloading' : 'not_installed';
}

function loadedState({ state }: { state: PoolEntryState | 'waiting' }): 'loading' | 'loaded' {
  return state === 'loaded' || state === 'leaving' ? 'loaded' : 'loading';
}
