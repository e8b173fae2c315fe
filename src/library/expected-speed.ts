import type { MachineSpeed } from './calibrations.ts';
import { memoryOf } from './artifact-memory.ts';
import type { ModelManifest } from '../runtime/manifest.ts';

/** Tokens per second of one request, at least and at most. */
export type ExpectedSpeed = { from: number; to: number };

/** Of the model that a machine is measured with: Q8_0. */
const MEASURED_BITS = 8.5;
/** Such files keep scales beside its weights. */
const SCALE_BITS = 0.5;

/**
 * What a model would generate on this machine, from what another one did. At best the time of a token grows with the
 * bytes that are read for it, and at worst with the weights that are multiplied, whatever their size. Undefined where
 * nothing was measured, where the model generates no text, and where a part of it would not fit on the card.
 */
export function expectedSpeed(
  manifest: ModelManifest,
  speed: MachineSpeed | undefined,
): ExpectedSpeed | undefined {
  if (!speed || !generates(manifest)) return undefined;
  if (speed.cardBytes !== null && memoryOf(manifest) > speed.cardBytes) return undefined;
  const weights = manifest.hub?.find(({ role }) => role === 'model');
  const bytes = (weights?.bytes ?? manifest.bytes) * (manifest.memory?.activeShare ?? 1);
  const byBytes = (speed.tokensPerSecond * speed.weightBytes) / bytes;
  const byWeights = (byBytes * bitsOf(weights?.path ?? manifest.path)) / MEASURED_BITS;
  return { from: Math.min(byBytes, byWeights), to: Math.max(byBytes, byWeights) };
}

function generates({ engine, tasks }: ModelManifest): boolean {
  return (engine === 'llama' || engine === 'vision') && tasks.includes('chat');
}

/** As the name of the file has it: `Q4_K_M`, `MXFP4`, `F16`. */
function bitsOf(path: string): number {
  const [, bits] = /[._-](?:I?Q|BF|F|MXFP)(\d+)/i.exec(path) ?? [];
  if (bits === undefined) return MEASURED_BITS;
  return Number(bits) >= 16 ? Number(bits) : Number(bits) + SCALE_BITS;
}
