import { findServiceModel, SERVICE_MODELS } from '../../library/service-models.ts';
import type { Task } from '../../runtime/manifest.ts';
import { toPrice, type Price } from '../../wallet/pricing.ts';

/** What a model costs. A model called by its own name costs the same as the service for its task. */
export function priceOf(model: string, task: Task): Price {
  const service = findServiceModel(model) ?? SERVICE_MODELS.find((other) => other.task === task);
  if (!service) throw new Error(`There is no price for ${model}, which does ${task}`);
  return toPrice(service.pricing);
}
