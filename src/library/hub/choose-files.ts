import { Failure } from '../../base/errors.ts';
import type { HubModel } from './client.ts';
import { parseHubReference, type HubReference } from './reference.ts';

/** The usual compromises between size and quality, in order of preference. */
const QUANTS = ['Q4_K_M', 'MXFP4', 'Q4_0', 'Q5_K_M', 'Q8_0', 'Q6_K', 'F16', 'BF16', 'F32'];
const SHARD = /-(\d{5})-of-(\d{5})\.gguf$/i;

/** The weights that a reference means: one GGUF file, or all parts of a split one. The first is the main one. */
export function chooseFiles({ files, repo }: HubModel, { path, quant }: HubReference): string[] {
  const weights = files
    .map((file) => file.path)
    .filter((name) => /\.gguf$/i.test(name) && !/mmproj/i.test(name));
  if (weights.length === 0) {
    throw new Failure(
      'model_capability_mismatch',
      `${repo} has no GGUF file, the only format that askd runs from the hub. Search for one: askd search ${nameOf(repo)}`,
      { param: 'model' },
    );
  }
  const chosen = path === undefined ? byQuant(weights, quant) : weights.find((name) => name === path);
  if (chosen !== undefined) return withShards(chosen, weights);
  const wanted = path ?? quant ?? 'a usual quantization';
  throw new Failure('hub_not_found', `${repo} has no ${wanted}. It has: ${listed(weights)}.`, {
    param: 'model',
  });
}

/** The downloaded artifact that a short name means: `hf:org/repo` or `hf:org/repo:Q4_K_M`. */
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
  if (!SHARD.test(chosen)) return [chosen];
  const stem = chosen.replace(SHARD, '');
  return weights.filter((name) => SHARD.test(name) && name.replace(SHARD, '') === stem).sort();
}

function nameOf(repo: string): string {
  return repo.slice(repo.indexOf('/') + 1);
}

const LISTED_MAX = 12;

function listed(names: readonly string[]): string {
  const more = names.length > LISTED_MAX ? `, and ${names.length - LISTED_MAX} more` : '';
  return names.slice(0, LISTED_MAX).join(', ') + more;
}
