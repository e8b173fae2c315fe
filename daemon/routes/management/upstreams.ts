import { addUpstream, type UpstreamRequest } from '../../../src/api/management/upstreams.ts';
import { Failure } from '../../../src/base/errors.ts';
import { findServiceModel } from '../../../src/library/service-models.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import { removeConnectionsExcept, writeConnection } from '../../../src/upstream/connection.ts';
import type { Services } from '../../compose.ts';
import { toArtifact } from '../../status/library-records.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

const CONTEXT_TOKENS = 131_072;
/** Tasks without a context. */
const MEDIA: readonly string[] = ['transcribe', 'speak', 'draw'];

export function registerUpstreams(register: RegisterRoute, services: Services): void {
  const { library, settings } = services;

  register(addUpstream, ({ body }) => {
    const existing = library.findArtifact(body.id);
    if (findServiceModel(body.id) || (existing && existing.engine !== 'upstream')) throw taken(body.id);
    const { model, key } = body;
    const urls = body.base_urls.map(toBaseUrl);
    const path = writeConnection(settings.paths.upstreams, {
      urls,
      model,
      ...(key !== undefined && { key }),
    });
    const manifest = library.install(toManifest(body, path), []);
    forgetKeys(services);
    return toArtifact(manifest, services);
  });
}

/** Deletes keys of connections that no model uses any more. */
export function forgetKeys({ library, settings }: Pick<Services, 'library' | 'settings'>): void {
  const kept = library.artifacts().filter(({ engine }) => engine === 'upstream');
  removeConnectionsExcept(
    settings.paths.upstreams,
    kept.map(({ path }) => path),
  );
}

function toManifest({ id, model, tasks, dimensions, ...rest }: UpstreamRequest, path: string): ModelManifest {
  return {
    id,
    name: model,
    engine: 'upstream',
    tasks,
    services: [],
    tier: 'imported',
    licence: 'unknown',
    path,
    bytes: 0,
    contextTokensMax: tasks.every((task) => MEDIA.includes(task))
      ? 0
      : (rest.context_tokens ?? CONTEXT_TOKENS),
    ...(dimensions !== undefined && { embedding: { dimensions, truncatable: true } }),
  };
}

function toBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if ((url?.protocol === 'http:' || url?.protocol === 'https:') && !url.username && !url.password) {
    return text.replace(/\/+$/, '');
  }
  throw new Failure(
    'invalid_value',
    'A base URL starts with http:// or https://, ends with /v1 and contains no password.',
    {
      param: 'base_urls',
    },
  );
}

function taken(id: string): Failure {
  return new Failure('already_exists', `A model "${id}" already exists. Choose another id.`, {
    param: 'id',
  });
}
