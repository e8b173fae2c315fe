import { stat } from 'node:fs/promises';
import type { ModelManifest, Task } from '../../../src/runtime/manifest.ts';

/** A file as the library would describe it, for an engine without a daemon. */
export async function manifestOf(file: string, task: Task, contextTokensMax: number): Promise<ModelManifest> {
  return {
    id: 'synthetic',
    name: 'synthetic',
    engine: 'llama',
    tasks: [task],
    services: [],
    tier: 'imported',
    licence: 'Apache-2.0',
    path: file,
    bytes: (await stat(file)).size,
    contextTokensMax,
  };
}
