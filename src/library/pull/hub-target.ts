import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { HubCache } from '../hub/cache.ts';
import { chooseFiles, ggufFilesOf } from '../hub/choose-files.ts';
import type { HubClient, HubModel } from '../hub/client.ts';
import { parseHubReference } from '../hub/reference.ts';
import { termsOf } from '../licences.ts';
import type { Wanted } from './plan.ts';

export type Target = {
  manifest: ModelManifest;
  wanted: readonly Wanted[];
  service?: string;
  reason?: string;
};

/** A repository of the hub without a file that askd downloads. */
export type OtherFormat = { repository: HubModel };

/** A model that is in no catalogue: its own header describes it once it is downloaded. */
export async function hubTarget(
  model: string,
  client: HubClient,
  offlineCache: HubCache | undefined,
  signal: AbortSignal,
): Promise<Target | OtherFormat> {
  const reference = parseHubReference(model);
  const { repo, revision = 'main', path } = reference;
  if (offlineCache) {
    if (path === undefined)
      throw isOffline(`The files of ${repo} are only known to the hub. Name one: hf:${repo}/FILE.gguf`);
    return targetFor({ repo, revision, paths: [path], licence: 'unknown', bytesOf: () => 0 });
  }
  const found = await client.model(repo, reference.revision, signal);
  if (ggufFilesOf(found).length === 0) return { repository: found };
  const paths = chooseFiles(found, reference);
  const bytesOf = (name: string) => found.files.find((file) => file.path === name)?.bytes ?? 0;
  const terms = termsOf(found.licence, `${client.endpoint}/${repo}`);
  const target = targetFor({ repo, revision, paths, licence: found.licence ?? 'not stated', bytesOf });
  return { ...target, manifest: { ...target.manifest, ...(terms && { licenceTerms: terms }) } };
}

type Description = {
  repo: string;
  revision: string;
  paths: readonly string[];
  licence: string;
  bytesOf: (path: string) => number;
};

function targetFor({ repo, revision, paths, licence, bytesOf }: Description): Target {
  const [main = ''] = paths;
  const wanted = paths.map((path, index) => ({
    role: index === 0 ? 'model' : `shard-${index + 1}`,
    repo,
    path,
    revision,
    bytes: bytesOf(path),
  }));
  const at = revision === 'main' ? '' : `@${revision}`;
  const manifest: ModelManifest = {
    id: `hf:${repo}${at}/${main}`,
    name: main.slice(main.lastIndexOf('/') + 1).replace(/\.gguf$/i, ''),
    engine: 'llama',
    tasks: [],
    services: [],
    tier: 'imported',
    licence,
    path: '',
    bytes: wanted.reduce((total, file) => total + file.bytes, 0),
    contextTokensMax: 0,
    hub: wanted,
  };
  return { manifest, wanted };
}

export function isOffline(why: string): Failure {
  return new Failure(
    'offline',
    `${why}, and askd is offline. Omit --offline, or unset ASKD_OFFLINE and HF_HUB_OFFLINE.`,
  );
}
