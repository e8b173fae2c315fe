import { createSandbox, type SandboxOptions } from '../../../src/runtime/sandbox/sandbox.ts';

/** The sandbox of this machine. If there is none, its tests are skipped, and their output says why. */
export async function findSandbox(options: Partial<SandboxOptions> = {}) {
  const state = await createSandbox({ mode: 'auto', home: '/nowhere', memoryBytes: 0, ...options }).find();
  if (state.name === null) console.warn(`NOT TESTED: the sandbox. ${state.reason}. ${state.fix ?? ''}`);
  return state;
}
