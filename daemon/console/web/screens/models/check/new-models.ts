import type { Pull } from '../../../../../../src/api/management/library.ts';
import { call } from '../../../data/api.ts';
import { currentPulls, onLive } from '../../../data/live.ts';
import { isOpen } from '../data.ts';
import { startCheck } from './checks.ts';

type Waiting = { artifact: string; onEnd: () => void };

const waiting = new Map<string, Waiting>();
let stop: (() => void) | undefined;
let isAsking = false;

/** A download that this page started is checked when it is complete, as on the command line, on whatever screen. */
export function checkWhenDone({ id, artifact }: Pick<Pull, 'id' | 'artifact'>, onEnd: () => void): void {
  waiting.set(id, { artifact, onEnd });
  stop ??= onLive(() => void look());
}

/** A download that is no longer in the event stream has ended, or was too quick to appear in it. */
async function look(): Promise<void> {
  const current = new Set(currentPulls().map(({ id }) => id));
  if (isAsking || [...waiting.keys()].every((id) => current.has(id))) return;
  isAsking = true;
  try {
    const { pulls } = await call<{ pulls: Pull[] }>('GET', '/api/daemon/pulls');
    for (const pull of pulls.filter(({ id }) => waiting.has(id))) if (!isOpen(pull)) end(pull);
  } catch {
    // The daemon is away; its next reading tries again.
  } finally {
    isAsking = false;
  }
}

function end({ id, state }: Pull): void {
  const { artifact, onEnd } = waiting.get(id) ?? {};
  waiting.delete(id);
  if (waiting.size === 0) {
    stop?.();
    stop = undefined;
  }
  if (state === 'done' && artifact !== undefined)
    void startCheck({ model: artifact, ...(onEnd && { onEnd }) });
}
