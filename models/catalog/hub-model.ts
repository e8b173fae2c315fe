import type { HubFile, ModelManifest } from '../../src/runtime/manifest.ts';

type Described = Omit<ModelManifest, 'path' | 'bytes' | 'files' | 'hub'> & {
  hub: readonly HubFile[];
  verified: NonNullable<ModelManifest['verified']>;
};

/** A manifest of what is still at the hub: its size is that of its files, and it has no place on this machine yet. */
export function hubModel(described: Described): ModelManifest {
  const bytes = described.hub.reduce((sum, file) => sum + file.bytes, 0);
  return { ...described, path: '', bytes };
}
