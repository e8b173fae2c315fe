import { Failure } from '../src/base/errors.ts';
import type { Engine } from '../src/runtime/engine.ts';
import type { EngineName } from '../src/runtime/manifest.ts';

/** Every engine, loaded only by the runner that needs it. */
export const ENGINES: Record<EngineName, () => Promise<Engine>> = {
  llama: async () => (await import('./engines/llama.ts')).llama,
  vision: async () => (await import('./engines/vision.ts')).vision,
  onnx: async () => (await import('./engines/onnx.ts')).onnx,
  flite: async () => (await import('./engines/flite.ts')).flite,
  diffusion: async () => (await import('./engines/diffusion.ts')).diffusion,
  // They run in the daemon: there is nothing to load.
  upstream: absent('upstream'),
  script: absent('script'),
};

function absent(name: EngineName): () => Promise<Engine> {
  return async () => {
    throw new Failure(
      'engine_not_installed',
      `The model needs the engine "${name}", which this askd does not have. To see what it can run: askd list --available`,
    );
  };
}
