import type { Artifact } from '../../src/api/management/daemon.ts';
import type { ExpectedSpeed } from '../../src/api/management/recommend.ts';
import type { CatalogSource as ApiCatalogSource } from '../../src/api/management/catalog.ts';
import type { CatalogEntry } from '../../src/api/management/catalog.ts';
import type { Pull, PullPreview } from '../../src/api/management/library.ts';
import { toIso } from '../../src/base/clock.ts';
import type { Preview } from '../../src/library/pull/preview.ts';
import type { Download } from '../../src/library/download/downloads.ts';
import { memoryOf } from '../../src/library/artifact-memory.ts';
import type { CatalogSource } from '../../src/library/catalog/catalog.ts';
import { budgetFor, memoryOfMachineFor, type Machine } from '../../src/library/choose-artifact.ts';
import { expectedSpeed } from '../../src/library/expected-speed.ts';
import { whyNotRunnable } from '../../src/library/runnable.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { changeOf } from '../../src/library/adopt/change.ts';
import type { Services } from '../compose.ts';
import { toCheck } from './check-records.ts';
import { defaultsText } from './defaults-text.ts';

export function toArtifact(
  manifest: ModelManifest,
  { library, checks }: Pick<Services, 'library' | 'checks'>,
): Artifact {
  const { id, name, engine, tasks, tier, licence, path, bytes, contextTokensMax, notice } = manifest;
  const obstacle = library.obstacleTo(manifest);
  const check = checks.find(manifest);
  const defaults = defaultsText(manifest.defaults);
  return {
    id,
    name,
    engine,
    tasks: [...tasks],
    tier,
    licence,
    path,
    bytes,
    context_tokens_max: contextTokensMax,
    bound_to: library.servicesOf(id),
    fallback_for: library.fallbackFor(id),
    aliases: library.aliasesOf(id),
    is_present: library.isPresent(manifest),
    ...(obstacle !== undefined && { obstacle }),
    files: library.installedFiles(id).map((file) => ({
      path: file.path,
      bytes: file.bytes,
      hash: `${file.hash.kind}:${file.hash.value}`,
      is_fetched: file.isFetched,
    })),
    ...(manifest.speech && { voices: { ...manifest.speech.voices } }),
    ...(manifest.card && { card: { ...manifest.card.facts } }),
    ...(check && { check: toCheck(check) }),
    ...originOf(manifest),
    ...(defaults.length > 0 && { defaults }),
    ...(notice !== undefined && { notice }),
  };
}

function originOf(manifest: ModelManifest): Pick<Artifact, 'origin'> {
  if (!manifest.origin) return {};
  const { program, name, unmet } = manifest.origin;
  const change = changeOf(manifest)?.what;
  return { origin: { program, name, unmet: [...unmet], ...(change && { change }) } };
}

export function toCatalogEntry(
  manifest: ModelManifest,
  { library, machine }: Pick<Services, 'library' | 'machine'>,
): CatalogEntry {
  const { id, name, engine, tasks, tier, services, licence, licenceTerms, bytes, contextTokensMax } =
    manifest;
  const obstacle = whyNotRunnable(manifest);
  const installed = library.findArtifact(id);
  const choices = services.map((service) => ({ service, choice: library.choose(service) }));
  const chosen = choices.filter(({ choice }) => choice?.artifact.id === id);
  const memory = Math.round(memoryOf(manifest));
  return {
    id,
    name,
    engine,
    tasks: [...tasks],
    tier,
    services: [...services],
    licence,
    licence_terms: licenceTerms ?? null,
    bytes,
    context_tokens_max: contextTokensMax,
    is_installed: installed !== undefined && library.isPresent(installed),
    memory_bytes: memory,
    fits: memory <= budgetFor(machine),
    expected_tokens_per_second: toExpectedSpeed(manifest, machine),
    chosen_for: chosen.map(({ service }) => service),
    choice_reason: chosen[0]?.choice?.reason ?? null,
    why: manifest.why ?? null,
    machine_memory_bytes: memoryOfMachineFor(memory),
    files: (manifest.hub ?? []).map(({ repo, path, revision, bytes: size, sha256 }) => ({
      ...{ repo, path, revision: revision ?? null, bytes: size, sha256: sha256 ?? null },
    })),
    verified: { ...manifest.verified },
    is_compared: isCompared(manifest),
    ...(obstacle !== undefined && { obstacle }),
  };
}

export function toCatalogSource({ serial, issued, signed }: CatalogSource): ApiCatalogSource {
  return { serial, issued, signed };
}

/** Whether the hub itself confirmed any of its facts. */
function isCompared({ verified = {} }: ModelManifest): boolean {
  return Object.values(verified).some((source) => source.startsWith('the hub'));
}

/** Rounded to tenths; null if unknown. */
export function toExpectedSpeed(manifest: ModelManifest, { speed }: Machine): ExpectedSpeed | null {
  const expected = expectedSpeed(manifest, speed);
  return expected ? { from: tenths(expected.from), to: tenths(expected.to) } : null;
}

export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

export function toPull(download: Download): Pull {
  const { waiting, createdAt } = download;
  return {
    id: download.id,
    model: download.model,
    artifact: download.artifact,
    name: download.name,
    licence: download.licence,
    service: download.service,
    reason: download.reason,
    state: download.state,
    bytes_total: download.bytesTotal,
    bytes_received: download.bytesReceived,
    bytes_verified: download.bytesVerified,
    bytes_per_second: download.bytesPerSecond,
    eta_seconds: download.etaSeconds,
    waiting: waiting && { until: toIso(waiting.untilMs), reason: waiting.reason },
    files: download.files,
    error: download.error,
    created_at: toIso(createdAt),
  };
}

export function toPreview({ header, ...preview }: Preview): PullPreview {
  return {
    ...preview,
    header: header && {
      architecture: header.architecture,
      quantization: header.quantization,
      parameters: header.parameters ?? null,
      context_tokens_max: header.contextTokensMax,
      tasks: [...header.tasks],
      template: header.template,
      memory_bytes: header.memoryBytes ?? null,
      memory_context_tokens: header.memoryContextTokens,
      fits: header.fits ?? null,
    },
  };
}
