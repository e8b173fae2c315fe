import { syntheticBytes } from '../../gguf/synthetic-model.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';

type Synthetic = Pick<ModelManifest, 'path' | 'contextTokensMax'> & { layers?: number };

/** Of the model of random weights that speed is measured with. */
export function syntheticManifest({ path, contextTokensMax, layers }: Synthetic): ModelManifest {
  return {
    id: 'synthetic',
    name: 'A synthetic model',
    engine: 'llama',
    tasks: ['chat'],
    services: [],
    tier: 'imported',
    licence: 'none',
    path,
    bytes: syntheticBytes(layers),
    contextTokensMax,
  };
}
