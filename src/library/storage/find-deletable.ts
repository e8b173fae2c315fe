import { didYouMean } from '../../base/did-you-mean.ts';
import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import { downloadedFrom } from '../hub/choose-files.ts';
import { isHubReference } from '../hub/reference.ts';

const LISTED_MAX = 6;

/** Finds it by id, or by the name of a repository from which exactly one file was downloaded. */
export function findDeletable(name: string, artifacts: readonly ModelManifest[]): ModelManifest {
  const exact = artifacts.find(({ id }) => id === name);
  if (exact) return exact;
  const [one, ...more] = isHubReference(name) ? downloadedFrom(name, artifacts) : [];
  if (one && more.length === 0) return one;
  if (one) throw severalDownloaded(name, [one, ...more]);
  throw notInstalled(name, artifacts);
}

function severalDownloaded(name: string, found: readonly ModelManifest[]): Failure {
  return new Failure(
    'invalid_value',
    `${found.length} files of \`${name}\` are installed. Name the one to remove: ${listed(found)}.`,
    { param: 'model' },
  );
}

function notInstalled(name: string, artifacts: readonly ModelManifest[]): Failure {
  const fromHub = artifacts.filter(({ id }) => isHubReference(id));
  const installed =
    isHubReference(name) && fromHub.length > 0
      ? ` Installed from the hub: ${listed(fromHub)}.`
      : didYouMean(
          name,
          artifacts.map(({ id }) => id),
        );
  return new Failure('model_not_found', `\`${name}\` is not installed, so nothing was removed.${installed}`, {
    param: 'model',
    details: { fix: 'askd models' },
  });
}

function listed(artifacts: readonly ModelManifest[]): string {
  const more = artifacts.length > LISTED_MAX ? `, and ${artifacts.length - LISTED_MAX} more` : '';
  return (
    artifacts
      .slice(0, LISTED_MAX)
      .map(({ id }) => id)
      .join(', ') + more
  );
}
