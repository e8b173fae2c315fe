import { Failure } from '../base/errors.ts';
import type { ModelManifest, Tier } from '../runtime/manifest.ts';
import { memoryOf } from './artifact-memory.ts';
import type { MachineSpeed } from './calibrations.ts';
import { expectedSpeed } from './expected-speed.ts';
import { whyNotRunnable } from './runnable.ts';

export type Machine = {
  memoryBytes: number;
  /** Absent until it is measured. */
  readonly speed?: MachineSpeed | undefined;
};
export type Choice = { artifact: ModelManifest; reason: string };
export type ArtifactRequest = { service: string; tier?: Tier | undefined };

/** From best to smallest. */
const TIERS: readonly Tier[] = ['large', 'standard', 'small'];
/** The share of memory for models; the rest is for everything else that runs. */
const SHARE = 0.5;
/** Tokens per second; below this, people have to wait for the words of an answer. */
const READING_SPEED = 5;

/** The artifact that serves a service model best on this machine, and why it was chosen. */
export function chooseArtifact(
  { service, tier }: ArtifactRequest,
  catalog: readonly ModelManifest[],
  machine: Machine,
): Choice {
  const able = catalog.filter((each) => each.services.includes(service) && each.hub !== undefined);
  const runnable = able.filter((each) => whyNotRunnable(each) === undefined);
  const [first] = runnable;
  if (first === undefined) throw nothingRuns(service, able);
  if (tier !== undefined) {
    const artifact = runnable.find((each) => each.tier === tier);
    if (artifact) return { artifact, reason: `the tier "${tier}", as requested` };
    const tiers = [...new Set(runnable.map((each) => each.tier))].join(', ');
    throw new Failure('invalid_value', `${service} has no tier "${tier}" here; it has: ${tiers}.`, {
      param: 'tier',
    });
  }
  const fitting = TIERS.flatMap((each) => runnable.filter((artifact) => artifact.tier === each)).filter(
    (artifact) => memoryOf(artifact) <= budgetFor(machine),
  );
  return bestOf(fitting, machine) ?? smallestOf(runnable, first, machine);
}

/** The best that fits, unless it answers more slowly than people read. */
function bestOf(fitting: readonly ModelManifest[], machine: Machine): Choice | undefined {
  // A machine measured while other programs were busy seems slower than it is.
  const speed = machine.speed?.isCalm ? machine.speed : undefined;
  const slowest = (artifact: ModelManifest) =>
    expectedSpeed(artifact, speed)?.from ?? Number.POSITIVE_INFINITY;
  const [best] = fitting;
  if (!best) return undefined;
  const place = `in half of this machine's ${memoryText(machine)}`;
  const quick = fitting.find((artifact) => slowest(artifact) >= READING_SPEED);
  if (quick === best) return { artifact: best, reason: `the best that fits ${place} (tier ${best.tier})` };
  if (quick) {
    const reason = `the best that fits ${place} and answers as fast as people read (tier ${quick.tier})`;
    return { artifact: quick, reason };
  }
  const fastest = fitting.reduce((most, each) => (slowest(each) > slowest(most) ? each : most), best);
  return { artifact: fastest, reason: `the fastest that fits ${place} (tier ${fastest.tier})` };
}

function smallestOf(runnable: readonly ModelManifest[], first: ModelManifest, machine: Machine): Choice {
  return {
    artifact: runnable.reduce((least, each) => (memoryOf(each) < memoryOf(least) ? each : least), first),
    reason: `the smallest one; it may be too large for this machine's ${memoryText(machine)}`,
  };
}

/** The memory that a model chosen for a service may take. */
export function budgetFor({ memoryBytes }: Machine): number {
  return memoryBytes * SHARE;
}

/** The memory of the smallest machine on which a pull may choose a model of this size. */
export function memoryOfMachineFor(modelBytes: number): number {
  return Math.ceil(modelBytes / SHARE);
}

function nothingRuns(service: string, able: readonly ModelManifest[]): Failure {
  const [first] = able;
  const why = first ? whyNotRunnable(first) : 'the catalogue has no artifact for it';
  return new Failure('engine_not_installed', `${service} cannot be installed: ${why}.`, { param: 'model' });
}

function memoryText({ memoryBytes }: Machine): string {
  return `${Math.round(memoryBytes / 1e9)} GB of memory`;
}
