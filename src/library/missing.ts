import { formatBytes } from '../base/units.ts';
import { Failure } from '../base/errors.ts';
import type { ModelManifest } from '../runtime/manifest.ts';

export function modelNotFound(model: string, param = 'model'): Failure {
  return new Failure(
    'model_not_found',
    `The model \`${model}\` does not exist or you do not have access to it.`,
    { param, details: { fix: 'askd models' } },
  );
}

/** A name that is in no list. A hub name can be downloaded, whatever it turns out to be. */
export function unknownModel(model: string, param = 'model'): Failure {
  if (!model.startsWith('hf:')) return modelNotFound(model, param);
  return new Failure(
    'model_not_installed',
    `The model \`${model}\` is not installed. Install it: askd pull ${model}`,
    { param, details: { fix: `askd pull ${model}` } },
  );
}

/** Why a model whose files are here cannot run, and the command that fixes it. */
export type Obstacle = { why: string; fix?: string };

/** Ends with the command, for clients that show only the message. */
export function obstacleText({ why, fix }: Obstacle): string {
  return fix === undefined ? why : `${why}. Install it: ${fix}`;
}

export function engineMissing(obstacle: Obstacle, model?: string): Failure {
  const { fix } = obstacle;
  const text = obstacleText(obstacle) + (fix === undefined ? '.' : '');
  const message = model === undefined ? text.replace(/^t/, 'T') : `\`${model}\` is installed, but ${text}`;
  return new Failure('engine_not_installed', message, {
    param: 'model',
    ...(fix !== undefined && { details: { fix } }),
  });
}

type Remedy = { artifact: ModelManifest } | { choice: ModelManifest | undefined };

/** Names the one command that fixes it, and its download size. */
export function notInstalled(model: string, remedy: Remedy): Failure {
  return new Failure('model_not_installed', `The model \`${model}\` is not installed${why(model, remedy)}`, {
    param: 'model',
    ...fixOf(model, remedy),
  });
}

/** Ends with the command for clients that show only the message; the command line shows it on its own line. */
function why(model: string, remedy: Remedy): string {
  const byHand = `import a file (askd import FILE --id NAME) and bind it (askd bind ${model} NAME)`;
  if ('artifact' in remedy) {
    const { artifact } = remedy;
    if (artifact.hub)
      return ` (${formatBytes(artifact.bytes)} to download). Install it: askd pull ${artifact.id}`;
    if (artifact.engine === 'script')
      return `: its file ${artifact.path} is missing. Restore it, or name another: askd config set scripted_answers FILE`;
    return `: its file ${artifact.path} is missing. Restore it, or ${byHand}.`;
  }
  const { choice } = remedy;
  if (choice) return ` (${formatBytes(choice.bytes)} to download). Install it: askd pull ${model}`;
  return `: no engine of this askd can run it. If another server does, ${byHand}.`;
}

function fixOf(model: string, remedy: Remedy): { details?: { fix: string } } {
  const wanted = 'artifact' in remedy ? remedy.artifact.hub && remedy.artifact.id : remedy.choice && model;
  return wanted === undefined ? {} : { details: { fix: `askd pull ${wanted}` } };
}

/** `askd pull svc-embed-v1 (635 MB)` */
export function pullCommand(model: string, manifest: ModelManifest): string {
  return `askd pull ${model} (${formatBytes(manifest.bytes)})`;
}
