import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Collects everything that is no longer referenced, one turn later, since objects touched in this turn live until it
 * ends.
 */
export async function collectGarbage(): Promise<void> {
  await new Promise(setImmediate);
  collect();
}
