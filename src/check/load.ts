import type { ModelManifest } from '../runtime/manifest.ts';
import type { Pool } from '../runtime/pool.ts';
import { passed, type Finding } from './step.ts';

export async function checkLoad(
  manifest: ModelManifest,
  pool: Pick<Pool, 'lease'>,
  signal: AbortSignal,
): Promise<Finding> {
  using lease = await pool.lease(manifest, signal);
  const { device, fallback, draftedBy } = lease.runner.description;
  const drafts = draftedBy === undefined ? '' : `, drafts by ${draftedBy}`;
  return passed(`it runs on ${device}${fallback === undefined ? '' : ` (${fallback})`}${drafts}`);
}
