import type { ModelManifest } from '../runtime/manifest.ts';
import type { Runner } from '../runtime/runner.ts';
import type { RequestContext } from './metered.ts';

/** Reports where the model runs, before anything else happens. */
export function reportServed(
  { onServed, attempt }: RequestContext,
  { id }: ModelManifest,
  { description }: Runner,
): void {
  const { device } = description;
  const reasons = [attempt?.reason, description.fallback].filter((reason) => reason !== undefined);
  onServed?.({ artifact: id, device, ...(reasons.length > 0 && { fallback: reasons.join('; ') }) });
}
