import type { MachineSpeed } from './calibrations.ts';
import { memoryOf } from './artifact-memory.ts';
import type { ModelManifest } from '../runtime/manifest.ts';

/** Tokens per second of one request, minimum and maximum. */
export type ExpectedSpeed = { from: number; to: number };

/** The model that a machine is measured with has Q8_0 weights. */
const MEASURED_BITS = 8.5;
/** Such files store scales beside the weights. */
const SCALE_BITS = 0.5;

/**
 * What a model would generate on this machine, estimated from another model's speed. At best, the time per token
 * grows with the bytes read for it; at worst, with the number of weights multiplied, whatever their size. Undefined
 * if nothing was measured, if the model generates no text, or if it does not fit on the card completely.
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

/** As in the name of the file: `Q4_K_M`, `MXFP4`, `F16`. */
function bitsOf(path: string): number {
  const [, bits] = /[._-](?:I?Q|BF|F|MXFP)(\d+)/i.exec(path) ?? [];
  if (bits === undefined) return MEASURED_BITS;
  return Number(bits) >= 16 ? Number(bits) : Number(bits) + SCALE_BITS;
}
