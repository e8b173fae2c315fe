import type { Diagnostic } from './diagnostic.ts';

/** Only failures that still matter: a later download of the same artifact may have worked. */
export const diagnoseDownloads: Diagnostic = ({ downloads, library }) => {
  const failed = downloads
    .list()
    .filter(({ state, artifact }) => state === 'failed' && library.findArtifact(artifact) === undefined);
  const latest = new Map(failed.reverse().map((download) => [download.artifact, download]));
  return [...latest.values()].map(({ model, error }) => ({
    check: `download ${model}`,
    level: 'warning' as const,
    message: error?.message ?? 'it failed',
    fix: `askd pull ${model}`,
  }));
};
