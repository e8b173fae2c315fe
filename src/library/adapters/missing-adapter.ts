import { existsSync } from 'node:fs';
import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';

/** The failure of a model whose adapter file is gone; undefined if it exists. */
export function adapterMissing(model: string, { adapters = [] }: ModelManifest): Failure | undefined {
  const lost = adapters.find(({ path }) => !existsSync(path));
  if (!lost) return undefined;
  const message = `The model \`${model}\` needs the file ${lost.path} of the adapter "${lost.name}", which is missing.`;
  return new Failure('model_not_installed', message, {
    param: 'model',
    details: { fix: `restore the file, or: askd adapter rm ${lost.name}` },
  });
}
