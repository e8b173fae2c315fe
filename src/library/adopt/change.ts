import { statSync } from 'node:fs';
import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';

export type Change = { what: 'missing' | 'changed'; path: string };

/** What the owner did to an adopted model's files in the other program, if anything. */
export function changeOf({ origin }: ModelManifest): Change | undefined {
  for (const { path, bytes, modifiedMs } of origin?.files ?? []) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return { what: 'missing', path };
    // The size of a folder of ONNX files differs between file systems.
    const isSame =
      found.isDirectory() || (found.size === bytes && (modifiedMs ?? found.mtimeMs) === found.mtimeMs);
    if (!isSame) return { what: 'changed', path };
  }
  return undefined;
}

/** Names the command that fixes it. */
export function adoptedChanged(model: string, manifest: ModelManifest, { what, path }: Change): Failure {
  const message = `The model \`${model}\` uses the files of ${manifest.origin?.program ?? 'another program'}, and ${sentenceOf(
    what,
    path,
  )}.`;
  return new Failure('model_not_installed', message, {
    param: 'model',
    details: { fix: changeFix(manifest, what) },
  });
}

export function sentenceOf(what: Change['what'], path: string): string {
  return what === 'missing' ? `${path} was deleted there` : `${path} was changed there`;
}

export function changeFix({ id, origin }: ModelManifest, what: Change['what']): string {
  if (what === 'changed') return `askd adopt ${id}`;
  const again = origin?.program === 'Ollama' ? `ollama pull ${origin.name} && askd adopt ${id}` : undefined;
  return again === undefined ? `restore the file, or: askd rm ${id}` : `${again}, or: askd rm ${id}`;
}
