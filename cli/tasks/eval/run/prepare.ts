import { Failure } from '../../../../src/base/errors.ts';
import type { Client } from '../../../client/client.ts';

/** For a server that does not say how many requests a model answers at once. */
const UNKNOWN_SLOTS = 4;

/** Loads a model, so that loading is not part of any measured time, and returns how many answers it gives at once. */
export async function slotsOf(owner: Client, model: string): Promise<number> {
  try {
    return Math.max(1, (await owner.load({ model })).slots);
  } catch (error) {
    if (error instanceof Failure && [401, 403].includes(error.kind.status)) return UNKNOWN_SLOTS;
    throw error;
  }
}
