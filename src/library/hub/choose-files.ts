import { Failure } from '../../base/errors.ts';
import { shardsOf } from '../formats/shards.ts';
import type { HubModel } from './client.ts';
import { parseHubReference, type HubReference } from './reference.ts';

/** The usual compromises between size and quality, in order of preference. */
const QUANTS = ['Q4_K_M', 'MXFP4', 'Q4_0', 'Q5_K_M', 'Q8_0', 'Q6_K', 'F16', 'BF16', 'F32'];
const SHARD = /-(\d{5})-of-(\d{5})\.gguf$/i;

export function ggufFilesOf({ files }: HubModel): string[] {
  return files.map((file) => file.path).filter((name) => /\.gguf$/i.test(name) && !/mmproj/i.test(name));
}

/** The weights that a reference names: one GGUF file, or all parts of a split one, the main one first. */
export function chooseFiles(found: HubModel, { path, quant }: HubReference): string[] {
  const weights = ggufFilesOf(found);
  const chosen = path === undefined ? byQuant(weights, quant) : weights.find((name) => name === path);
  if (chosen !== undefined) return withShards(chosen, weights);
  const wanted = path ?? quant ?? 'a usual quantization';
  throw new Failure('hub_not_found', `${found.repo} has no ${wanted}. It has: ${listed(weights)}.`, {
    param: 'model',
  });
}

/** The downloaded artifact that a short name refers to: `hf:org/repo` or `hf:org/repo:Q4_K_M`. */
export function findDownloaded<Artifact extends { id: string }>(
  name: string,
  artifacts: readonly Artifact[],
): Artifact | undefined {
  const { repo, revision = 'main', quant, path } = parseHubReference(name);
  if (path !== undefined) return undefined;
  const folder = `hf:${repo}${revision === 'main' ? '' : `@${revision}`}/`;
  const files = artifacts.flatMap(({ id }) => (id.startsWith(folder) ? id.slice(folder.length) : []));
  const chosen = byQuant(files, quant);
  return artifacts.find(({ id }) => id === `${folder}${chosen ?? ''}`);
}

/** All downloaded artifacts of a repository, or of one quantization. */
export function downloadedFrom<Artifact extends { id: string }>(
  name: string,
  artifacts: readonly Artifact[],
): Artifact[] {
  const { repo, revision = 'main', quant, path } = parseHubReference(name);
  if (path !== undefined) return [];
  const folder = `hf:${repo}${revision === 'main' ? '' : `@${revision}`}/`;
  return artifacts.filter(
    ({ id }) => id.startsWith(folder) && (quant === undefined || isQuant(id.slice(folder.length), quant)),
  );
}

function byQuant(weights: readonly string[], quant: string | undefined): string | undefined {
  if (quant !== undefined) return weights.find((name) => isQuant(name, quant));
  const usual = QUANTS.map((each) => weights.find((name) => isQuant(name, each))).find(
    (name) => name !== undefined,
  );
  return (
    usual ?? (new Set(weights.map((name) => name.replace(SHARD, ''))).size === 1 ? weights[0] : undefined)
  );
}

function isQuant(name: string, quant: string): boolean {
  const escaped = quant.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(^|[-._/])${escaped}([-._/]|$)`, 'i').test(name);
}

function withShards(chosen: string, weights: readonly string[]): string[] {
  const [, , total] = SHARD.exec(chosen) ?? [];
  if (total === undefined) return [chosen];
  const parts = shardsOf(chosen.replace(SHARD, (shard) => shard.replace(/\d{5}/, '00001')));
  const missing = parts.filter((part) => !weights.includes(part));
  if (missing.length === 0) return parts;
  throw new Failure(
    'hub_not_found',
    `${chosen} is one of ${Number(total)} parts, of which the hub does not have all. Missing: ${listed(missing)}.`,
    { param: 'model' },
  );
}

const LISTED_MAX = 12;

function listed(names: readonly string[]): string {
  const more = names.length > LISTED_MAX ? `, and ${names.length - LISTED_MAX} more` : '';
  return names.slice(0, LISTED_MAX).join(', ') + more;
}
