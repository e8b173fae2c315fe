import { adoptModels, listAdoptable, type FoundModel } from '../../../src/api/management/adopt.ts';
import type { Found } from '../../../src/library/adopt/adoption.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { defaultsText } from '../../status/defaults-text.ts';
import { toArtifact } from '../../status/library-records.ts';

export function registerAdopt(register: RegisterRoute, services: Services): void {
  const { adoption, pool } = services;

  register(listAdoptable, async () => {
    const { found, unreadable } = await adoption.find();
    return { models: found.map((each) => toFound(each, services)), unreadable };
  });

  register(adoptModels, async ({ body }) => {
    const { adopted, left } = await adoption.adopt(body);
    // A model that was adopted again may be in memory with its old files.
    for (const { id } of adopted) await pool.stop(id);
    return {
      adopted: adopted.map((manifest) => toArtifact(manifest, services)),
      left: left.map((each) => toFound(each, services)),
    };
  });
}

function toFound(found: Found, services: Services): FoundModel {
  const { candidate, id, facts, manifest, obstacle, isAdopted } = found;
  return {
    id,
    program: candidate.program,
    name: candidate.name,
    path: candidate.path,
    bytes: manifest?.bytes ?? 0,
    architecture: facts.architecture,
    size_label: facts.sizeLabel,
    quantization: facts.quantization,
    context_tokens_max: manifest?.contextTokensMax ?? 0,
    memory_bytes: memoryOf(found, services),
    template: facts.template,
    has_projector: candidate.projector !== undefined,
    services: found.services,
    defaults: defaultsText(candidate.defaults),
    unmet: [...(manifest?.origin?.unmet ?? candidate.unmet ?? [])],
    is_adopted: isAdopted,
    ...(obstacle !== undefined && { obstacle }),
    can_be_adopted: manifest !== undefined,
  };
}

function memoryOf({ manifest }: Found, { estimate }: Services): number {
  if (!manifest) return 0;
  const { weights, cache, overhead } = estimate(manifest);
  return weights + cache + overhead;
}
