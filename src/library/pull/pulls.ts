import { existsSync } from 'node:fs';
import type { Settings } from '../../config/config.ts';
import type { HubSettings } from '../../config/hub-settings.ts';
import { Failure, type FailureCode } from '../../base/errors.ts';
import { didYouMean } from '../../base/did-you-mean.ts';
import type { HubFile, ModelManifest, Tier } from '../../runtime/manifest.ts';
import { chooseArtifact, type Machine } from '../choose-artifact.ts';
import { deleteFile } from '../storage/delete-file.ts';
import type { Download, Downloads } from '../download/downloads.ts';
import { receivedIn } from '../download/parts.ts';
import type { TransferJob, TransferResult } from '../download/transfer.ts';
import type { HubCache } from '../hub/cache.ts';
import { createHubClient } from '../hub/client.ts';
import { isHubReference } from '../hub/reference.ts';
import { importFile } from '../import.ts';
import { requireAcceptance } from '../licences.ts';
import type { Library } from '../library.ts';
import { withAlternative } from './alternative.ts';
import { hubTarget, isOffline, type OtherFormat, type Target } from './hub-target.ts';
import { previewOf, type Preview } from './preview.ts';
import { previewOfRepository } from './repository-preview.ts';
import { planFiles, readToken, servicesOf, type Plan, type PlannedFile, type Wanted } from './plan.ts';
import { findServiceModel, SERVICE_MODELS } from '../service-models.ts';

export type PullRequest = {
  model: string;
  tier?: Tier;
  acceptLicence?: boolean;
  /** Only what is already on this machine. */
  offline?: boolean;
  /** Only report what would be downloaded. */
  dryRun?: boolean;
};

/** Either it is installed, or its download has started; neither after a dry run. */
export type Pulled = Answer & { artifact: ModelManifest | null; download: Download | null };

type Answer = { service: string | null; reason: string | null; preview?: Preview };

export type PullsOptions = {
  library: Library;
  downloads: Downloads;
  cache: HubCache;
  machine: Machine;
  settings: PullSettings;
};

export type PullSettings = Pick<
  Settings,
  'hub' | 'offline' | 'downloadConnections' | 'downloadPartBytes' | 'downloadStallMs' | 'downloadRetryMs'
>;

export type Pulls = ReturnType<typeof createPulls>;

/** Resolves a request to files that are downloaded, verified, registered and bound. */
export function createPulls({ library, downloads, cache, machine, settings }: PullsOptions) {
  const { hub } = settings;
  const client = () => createHubClient({ ...accessOf(settings), retryMs: settings.downloadRetryMs });

  async function targetOf(
    { model, tier, offline }: PullRequest,
    signal: AbortSignal,
  ): Promise<Target | OtherFormat> {
    if (findServiceModel(model)) {
      const { artifact, reason } = chooseArtifact({ service: model, tier }, library.catalog, machine);
      return { manifest: artifact, wanted: wantedOf(artifact.hub ?? []), service: model, reason };
    }
    if (tier !== undefined) {
      throw new Failure(
        'invalid_value',
        'A tier can only be given with a service model, such as svc-chat-v1.',
        {
          param: 'tier',
        },
      );
    }
    if (isHubReference(model)) return hubTarget(model, client(), offline ? cache : undefined, signal);
    const manifest = library.catalog.find(({ id }) => id === model);
    if (manifest?.hub) return { manifest, wanted: wantedOf(manifest.hub) };
    const names = [...SERVICE_MODELS, ...library.artifacts(), ...library.catalog].map(({ id }) => id);
    const meant = didYouMean(model, [...new Set(names)]);
    throw new Failure(
      'model_not_found',
      `No model is called "${model}", neither installed nor in the catalogue.${meant}`,
      {
        param: 'model',
        details: { fix: `askd models, askd list --available, or askd search ${asWord(model)}` },
      },
    );
  }

  /** There is nothing to download. */
  async function describe({ repository }: OtherFormat, { dryRun }: PullRequest, signal: AbortSignal) {
    const parts = { client: client(), access: accessOf(settings), machine, signal };
    const preview = await previewOfRepository(repository, parts);
    if (!dryRun) throw cannotRun(preview, 'model_capability_mismatch');
    return { artifact: null, download: null, service: null, reason: null, preview };
  }

  return {
    async pull(request: PullRequest, signal: AbortSignal): Promise<Pulled> {
      const offline = request.offline === true || settings.offline;
      const here = library.findArtifact(request.model);
      if (here && library.isPresent(here))
        return { artifact: here, download: null, service: null, reason: null };
      const target = await targetOf({ ...request, offline }, signal);
      if ('repository' in target) return describe(target, request, signal);
      const { manifest, service, reason } = target;
      const installed = library.findArtifact(manifest.id);
      const answer = { service: service ?? null, reason: reason ?? null };
      if (installed && library.isPresent(installed)) {
        if (service && !request.dryRun) library.bind(service, installed.id);
        return { artifact: installed, download: null, ...answer };
      }
      const dryRun = request.dryRun === true;
      if (dryRun && offline) throw isOffline('A dry run asks the model hub');
      const running = dryRun ? undefined : downloads.join(manifest.id, service);
      if (running) return { ...answerOf(running), artifact: null, download: running };
      if (!dryRun) requireAcceptance(manifest, request.acceptLicence === true);
      const plan = { manifest, model: request.model, ...(service && { service }), ...(reason && { reason }) };
      if (offline) {
        const located = await locate(manifest, fromCache(target.wanted, cache));
        const services = service === undefined ? [] : [service];
        return { artifact: library.install(located, [], services), download: null, ...answer };
      }
      // The files of a folder must be together, so copies in other programs' caches cannot be used.
      const otherCaches = manifest.engine === 'onnx' ? undefined : hub.otherCaches;
      const files = await planFiles(target.wanted, { client: client(), cache, otherCaches }, signal).catch(
        (error: unknown) => {
          throw withAlternative(error, { manifest, catalog: library.catalog, machine });
        },
      );
      const planned = { ...plan, files };
      // Catalogue entries were inspected before they were listed.
      const isUnknown = manifest.tasks.length === 0;
      const parts = { access: accessOf(settings), cache, machine, signal };
      const preview = dryRun || isUnknown ? await previewOf(planned, parts) : undefined;
      if (preview && !dryRun && preview.obstacle !== null) throw cannotRun(preview, 'invalid_model_file');
      const download = dryRun ? null : downloads.add(planned);
      return { ...answer, artifact: null, download, ...(preview && { preview }) };
    },

    search(text: string, signal: AbortSignal) {
      if (settings.offline) throw isOffline('askd search searches the model hub');
      return client().search(text, signal);
    },
  };
}

function cannotRun({ obstacle }: Preview, code: FailureCode): Failure {
  return new Failure(code, `Nothing was downloaded. ${obstacle ?? ''}`, { param: 'model' });
}

function answerOf({ service, reason }: Download): Answer {
  return { service, reason };
}

/** Quotes a shell word. */
function asWord(text: string): string {
  return /^[\w.:/-]+$/.test(text) && !text.startsWith('-') ? text : 'WORDS';
}

function wantedOf(files: readonly HubFile[]): Wanted[] {
  return files.map((file) => ({ ...file, revision: file.revision ?? 'main' }));
}

/** Files that other programs, or an earlier askd, left in the shared cache. */
function fromCache(wanted: readonly Wanted[], cache: HubCache): Located[] {
  const found = wanted.map((file) => ({ ...file, at: cache.find(file.repo, file.path, file.revision) }));
  const missing = found.filter(({ at }) => at === undefined).map(({ repo, path }) => `${repo}/${path}`);
  if (missing.length > 0) throw isOffline(`${cache.root} does not have ${missing.join(', ')}`);
  return found.map(({ role, path, at }) => ({ role, name: path, path: at?.path ?? '' }));
}

/** A file's name in the repository, and its location on this machine. */
type Located = { role: string; name: string; path: string };

/** Names verified files and registers the model in the library. */
export function installPlan({ library, cache }: { library: Library; cache: HubCache }) {
  return async (plan: Plan, results: readonly TransferResult[]): Promise<void> => {
    const files = plan.files.map((file, index) => place(file, results[index], cache));
    const installed = files.map(({ path, location, entry, isFetched }) => ({
      path,
      blob: location,
      bytes: entry.bytes,
      hash: entry.hash,
      isFetched,
    }));
    library.install(await locate(plan.manifest, files), installed, servicesOf(plan));
  };
}

function place({ role, revision, entry }: PlannedFile, result: TransferResult | undefined, cache: HubCache) {
  if (result === undefined) throw new Error(`The transfer says nothing of ${entry.path}`);
  const { location, isFetched } = result;
  const isBlob = location === cache.blobOf(entry);
  return {
    role,
    name: entry.path,
    entry,
    location,
    isFetched,
    path: isBlob ? cache.publish(entry, revision) : location,
  };
}

/** The manifest with the locations of its files. What the catalogue does not know is read from the model itself. */
async function locate(manifest: ModelManifest, files: readonly Located[]): Promise<ModelManifest> {
  const main = files.find(({ role }) => role === 'model') ?? files[0];
  if (main === undefined) throw new Error(`${manifest.id} has no files`);
  const located = {
    ...manifest,
    path: manifest.engine === 'onnx' ? main.path.slice(0, -main.name.length - 1) : main.path,
    ...(files.length > 1 && { files: Object.fromEntries(files.map(({ role, path }) => [role, path])) }),
  };
  if (manifest.tasks.length > 0) return located;
  const read = await importFile({ id: manifest.id, path: main.path, mode: 'link', modelsFolder: '' });
  const licence = manifest.licence === 'unknown' ? read.licence : manifest.licence;
  return { ...read, ...located, tasks: read.tasks, name: read.name, licence, ...known(manifest, read) };
}

function known(manifest: ModelManifest, read: ModelManifest) {
  const { contextTokensMax, embedding } = read;
  return { contextTokensMax, bytes: manifest.bytes || read.bytes, ...(embedding && { embedding }) };
}

export function accessOf({ hub, downloadStallMs }: { hub: HubSettings; downloadStallMs: number }) {
  return { endpoint: hub.endpoint, token: readToken(hub), proxy: hub.proxy, stallMs: downloadStallMs };
}

export function jobOf(settings: PullSettings, cache: HubCache) {
  return ({ files }: Plan): TransferJob => ({
    access: accessOf(settings),
    retryMs: settings.downloadRetryMs,
    connections: settings.downloadConnections,
    partBytes: settings.downloadPartBytes,
    files: files.map(({ entry, candidates }) => ({ entry, blob: cache.blobOf(entry), candidates })),
  });
}

/** What an earlier transfer left on the disk. */
export function receivedOfPlan(settings: PullSettings, cache: HubCache) {
  return ({ files }: Plan): number[] =>
    files.map(({ entry }) => {
      const blob = cache.blobOf(entry);
      if (existsSync(blob)) return entry.bytes;
      if (!existsSync(`${blob}.askd.incomplete`)) return 0;
      return receivedIn(`${blob}.askd.parts`, { bytes: entry.bytes, partBytes: settings.downloadPartBytes });
    });
}

export function discardPlan(cache: HubCache) {
  return ({ files }: Plan): void => {
    for (const { entry } of files) {
      for (const rest of ['incomplete', 'parts']) deleteFile(`${cache.blobOf(entry)}.askd.${rest}`);
    }
  };
}
