import type { AccountBatch } from '../../../../../src/api/management/batches.ts';

type Tone = 'good' | 'warn' | 'bad' | '';

const TONES: Record<AccountBatch['status'], Tone> = {
  validating: '',
  in_progress: '',
  finalizing: '',
  completed: 'good',
  failed: 'bad',
  expired: 'bad',
  cancelling: '',
  cancelled: '',
};

/** A waiting batch says so, since nothing happens until what it waits for is there. */
export function stateOf({ status, waiting }: AccountBatch): { text: string; tone: Tone } {
  if (waiting !== null) return { text: 'waiting', tone: 'warn' };
  return { text: status.replace('_', ' '), tone: TONES[status] };
}

export const isOpen = ({ status }: AccountBatch) => status === 'validating' || status === 'in_progress';

export const momentOf = (seconds: number) => new Date(seconds * 1000).toISOString();
