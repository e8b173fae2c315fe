import type { Engine } from '../src/runtime/engine.ts';
import type { EngineName } from '../src/runtime/manifest.ts';

/** Every engine, loaded only by the runner that needs it. */
export const ENGINES: Record<EngineName, () => Promise<Engine>> = {
  llama: async () => (await import('./engines/llama.ts')).llama,
};
