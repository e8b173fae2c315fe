import type { Diagnostic } from './diagnostic.ts';

const NOTHING =
  'Model files are read by native code; in a sandbox it reaches neither your files nor the network.';

/** What confines a hostile model file. */
export const diagnoseSandbox: Diagnostic = async ({ sandbox }) => {
  const check = 'sandbox of models';
  const state = await sandbox.find();
  if (state.name !== null) {
    return [{ check, level: 'ok', message: `${state.name}: no network, no files but those of the model` }];
  }
  const { reason, fix } = state;
  const level = fix === undefined ? 'ok' : 'warning';
  return [{ check, level, message: `none: ${reason}. ${NOTHING}`, ...(fix !== undefined && { fix }) }];
};
