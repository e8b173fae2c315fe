import type { ModelManifest } from '../runtime/manifest.ts';
import type { Runner } from '../runtime/runner.ts';
import type { RequestContext } from './metered.ts';

/** Reports where the model runs, before anything else happens. */
export function reportServed(
  { onServed }: RequestContext,
  { id }: ModelManifest,
  { description }: Runner,
): void {
  const { device, fallback } = description;
  onServed?.({ artifact: id, device, ...(fallback !== undefined && { fallback }) });
}
