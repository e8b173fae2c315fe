import { Failure } from '../../../src/base/errors.ts';

/** A voice of the program, and how much its pitch is raised. */
export type FliteVoice = { name: string; pitch: number };

/** The program's own voices at 16 kHz, and two more derived from its only female voice by changing the pitch. */
const VOICES: Readonly<Record<string, FliteVoice>> = {
  slt: { name: 'slt', pitch: 1 },
  'slt-high': { name: 'slt', pitch: 1.16 },
  'slt-low': { name: 'slt', pitch: 0.86 },
  rms: { name: 'rms', pitch: 1 },
  awb: { name: 'awb', pitch: 1 },
  kal16: { name: 'kal16', pitch: 1 },
};

export function findFliteVoice(voice: string): FliteVoice {
  const found = VOICES[voice];
  if (found) return found;
  const message = `This model has no voice "${voice}". It has: ${Object.keys(VOICES).join(', ')}.`;
  throw new Failure('invalid_value', message, { param: 'voice' });
}
