import { findServiceModel } from '../../../src/library/service-models.ts';
import type { Library } from '../../../src/library/library.ts';
import { required } from '../../http/required.ts';

const LATEST = ':latest';
const HUB = /^(?:https?:\/\/)?(?:hf\.co|huggingface\.co)\//;

/** Translates a model name: `:latest` is dropped, and `hf.co/` is the hub. */
export function toModelName(
  { model, name }: { model?: string; name?: string },
  library: Pick<Library, 'findArtifact'>,
): string {
  const requested = required(model ?? name, 'model');
  if (findServiceModel(requested) || library.findArtifact(requested)) return requested;
  return toHubName(withoutLatest(requested));
}

/** Clients expect a tag in listed names. */
export function toListedName(name: string): string {
  return name.includes(':') ? name : name + LATEST;
}

export function withoutLatest(name: string): string {
  return name.endsWith(LATEST) ? name.slice(0, -LATEST.length) : name;
}

function toHubName(name: string): string {
  return name.replace(HUB, 'hf:');
}
