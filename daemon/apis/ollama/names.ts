import { findServiceModel } from '../../../src/library/service-models.ts';
import type { Library } from '../../../src/library/library.ts';
import { required } from '../../http/required.ts';

const LATEST = ':latest';
const HUB = /^(?:https?:\/\/)?(?:hf\.co|huggingface\.co)\//;

/** The name of a model in our own terms: `:latest` says nothing here, and `hf.co/` is the hub. */
export function toModelName(
  { model, name }: { model?: string; name?: string },
  library: Pick<Library, 'findArtifact'>,
): string {
  const asked = required(model ?? name, 'model');
  if (findServiceModel(asked) || library.findArtifact(asked)) return asked;
  return toHubName(withoutLatest(asked));
}

/** Names that have no tag are listed with one, as clients expect of a list. */
export function toListedName(name: string): string {
  return name.includes(':') ? name : name + LATEST;
}

export function withoutLatest(name: string): string {
  return name.endsWith(LATEST) ? name.slice(0, -LATEST.length) : name;
}

function toHubName(name: string): string {
  return name.replace(HUB, 'hf:');
}
