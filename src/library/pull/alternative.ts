import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import { chooseArtifact, type Machine } from '../choose-artifact.ts';
import { pullCommand } from '../missing.ts';

/** The file at the hub is gone, not accessible, or not the one that the catalogue promises. */
const LOST = ['hub_not_found', 'hub_access_denied', 'download_damaged'];

type Parts = { manifest: ModelManifest; catalog: readonly ModelManifest[]; machine: Machine };

/** The failure, with the next best model of the catalogue if the hub no longer has the requested one. */
export function withAlternative(error: unknown, parts: Parts): unknown {
  if (!(error instanceof Failure) || !LOST.includes(error.code)) return error;
  const next = alternativeTo(parts);
  if (!next) return error;
  const { code, message, param, details } = error;
  const sentence = message.endsWith('.') ? message : `${message}.`;
  return new Failure(code, `${sentence} Another model for the same purpose: ${pullCommand(next.id, next)}`, {
    ...(param !== undefined && { param }),
    details: { ...details, alternative: next.id },
    cause: error,
  });
}

function alternativeTo({ manifest, catalog, machine }: Parts): ModelManifest | undefined {
  if (!catalog.some(({ id }) => id === manifest.id)) return undefined;
  const [service] = manifest.services;
  if (service === undefined) return undefined;
  const others = catalog.filter(({ id }) => id !== manifest.id);
  try {
    return chooseArtifact({ service }, others, machine).artifact;
  } catch {
    return undefined;
  }
}
