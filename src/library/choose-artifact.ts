import { Failure } from '../base/errors.ts';
import type { ModelManifest, Tier } from '../runtime/manifest.ts';
import { whyNotRunnable } from './runnable.ts';

export type Machine = { memoryBytes: number };
export type Choice = { artifact: ModelManifest; reason: string };
export type ArtifactRequest = { service: string; tier?: Tier | undefined };

/** From best to smallest. */
const TIERS: readonly Tier[] = ['large', 'standard', 'small'];
/** The share of memory for models; the rest is for everything else that runs. */
const SHARE = 0.5;
/** What a runner takes beside the weights and the context. */
const OVERHEAD_BYTES = 300e6;
const CONTEXT_TOKENS = 8192;

/** The artifact that serves a service model best on this machine, and why it was chosen. */
export function chooseArtifact(
  { service, tier }: ArtifactRequest,
  catalog: readonly ModelManifest[],
  { memoryBytes }: Machine,
): Choice {
  const able = catalog.filter((each) => each.services.includes(service) && each.hub !== undefined);
  const runnable = able.filter((each) => whyNotRunnable(each) === undefined);
  const [first] = runnable;
  if (first === undefined) throw nothingRuns(service, able);
  if (tier !== undefined) {
    const artifact = runnable.find((each) => each.tier === tier);
    if (artifact) return { artifact, reason: `the tier "${tier}", as asked` };
    const tiers = [...new Set(runnable.map((each) => each.tier))].join(', ');
    throw new Failure('invalid_value', `${service} has no tier "${tier}" here; it has: ${tiers}.`, {
      param: 'tier',
    });
  }
  const budget = budgetFor({ memoryBytes });
  const fitting = TIERS.flatMap((each) => runnable.filter((artifact) => artifact.tier === each)).find(
    (artifact) => memoryOf(artifact) <= budget,
  );
  const memory = `${gigabytes(memoryBytes)} of memory`;
  if (fitting) {
    return {
      artifact: fitting,
      reason: `the best that fits in half of this machine's ${memory} (tier ${fitting.tier})`,
    };
  }
  const smallest = runnable.reduce((least, each) => (memoryOf(each) < memoryOf(least) ? each : least), first);
  return {
    artifact: smallest,
    reason: `the smallest one; it may be too large for this machine's ${memory}`,
  };
}

/** The memory that a model which is chosen for a service may take. */
export function budgetFor({ memoryBytes }: Machine): number {
  return memoryBytes * SHARE;
}

/** Weights and one typical context. The runner's own measurement replaces this once the model is loaded. */
export function memoryOf({ bytes, memory, contextTokensMax }: ModelManifest): number {
  const tokens = Math.min(CONTEXT_TOKENS, contextTokensMax);
  return bytes + (memory?.kvBytesPerToken ?? 0) * tokens + OVERHEAD_BYTES;
}

function nothingRuns(service: string, able: readonly ModelManifest[]): Failure {
  const [first] = able;
  const why = first ? whyNotRunnable(first) : 'the catalogue has no artifact for it';
  return new Failure('engine_not_installed', `${service} cannot be installed: ${why}.`, { param: 'model' });
}

function gigabytes(bytes: number): string {
  return `${Math.round(bytes / 1e9)} GB`;
}
