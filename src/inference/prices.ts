import { findServiceModel, SERVICE_MODELS } from '../library/service-models.ts';
import type { Task } from '../runtime/manifest.ts';
import { toPrice, type Price } from '../wallet/pricing.ts';

/** What a model costs. One that is called by its own name costs what the service that does the same does. */
export function priceOf(model: string, task: Task): Price {
  const service = findServiceModel(model) ?? SERVICE_MODELS.find((other) => other.task === task);
  if (!service) throw new Error(`There is no price for ${model}, which does ${task}`);
  return toPrice(service.pricing);
}
