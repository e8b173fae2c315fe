import type { ModelManifest } from '../../runtime/manifest.ts';

type Parts = {
  fallbacksOf: (model: string) => string[];
  boundArtifact: (service: string) => ModelManifest | undefined;
  canRun: (artifactId: string) => boolean;
};

/** The artifacts that may serve a model with fallbacks. */
export function createCandidates({ fallbacksOf, boundArtifact, canRun }: Parts) {
  /** Best first; empty for a model without fallbacks. */
  function candidatesFor(model: string): string[] {
    const fallbacks = fallbacksOf(model);
    if (fallbacks.length === 0) return [];
    const bound = boundArtifact(model)?.id;
    return bound === undefined ? fallbacks : [bound, ...fallbacks.filter((id) => id !== bound)];
  }

  return {
    candidatesFor,
    /** The best one whose files are here; undefined for a model without fallbacks. */
    firstRunnable: (model: string): string | undefined => candidatesFor(model).find(canRun),
  };
}
