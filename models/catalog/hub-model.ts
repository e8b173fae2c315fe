import type { HubFile, ModelManifest } from '../../src/runtime/manifest.ts';

type Described = Omit<ModelManifest, 'path' | 'bytes' | 'files' | 'hub'> & {
  hub: readonly HubFile[];
  verified: NonNullable<ModelManifest['verified']>;
};

/**
 * The manifest of a model that is not downloaded yet: its size is that of its files, and it has no path on this
 * machine.
 */
export function hubModel(described: Described): ModelManifest {
  const bytes = described.hub.reduce((sum, file) => sum + file.bytes, 0);
  return { ...described, path: '', bytes };
}
