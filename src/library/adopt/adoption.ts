import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Library } from '../library.ts';
import { servicesFor } from '../service-models.ts';
import { PROGRAMS, type Candidate, type Program } from './candidate.ts';
import { changeOf } from './change.ts';
import { findModels, realPath, type Places } from './find-models.ts';
import { inspect, type Facts } from './inspect.ts';
import { freeId, wantedId } from './model-id.ts';

export type Adoption = ReturnType<typeof createAdoption>;

/** A model of another program. If it has no manifest, askd cannot run it, and `obstacle` says why. */
export type Found = {
  candidate: Candidate;
  /** The id that it has or would get here. */
  id: string;
  facts: Facts;
  manifest?: ModelManifest;
  obstacle?: string;
  services: string[];
  /** Whether it is already here, unchanged. */
  isAdopted: boolean;
};

export type Wanted = { name?: string | undefined; program?: Program | undefined; id?: string | undefined };

type Parts = Places & {
  library: Pick<Library, 'artifacts' | 'install' | 'isTaken' | 'obstacleTo'>;
};

/** Models of other programs on this machine, used in place. */
export function createAdoption({ library, ...places }: Parts) {
  async function find(): Promise<{ found: Found[]; unreadable: string[] }> {
    const { candidates, unreadable } = findModels(places);
    const here = library.artifacts();
    const taken = new Set(here.map(({ id }) => id));
    const found: Found[] = [];
    for (const candidate of candidates) {
      const own = here.find((artifact) => isOf(artifact, candidate));
      const isTaken = (name: string) => taken.has(name) || library.isTaken(name);
      const id = own?.id ?? freeId(wantedId(candidate), candidate, isTaken);
      taken.add(id);
      found.push(await describe(candidate, id, own));
    }
    return { found, unreadable };
  }

  async function describe(candidate: Candidate, id: string, own: ModelManifest | undefined): Promise<Found> {
    const inspected = await inspect(candidate, id);
    const isAdopted = own !== undefined && changeOf(own) === undefined;
    const base = { candidate, id, facts: inspected.facts, isAdopted };
    if ('obstacle' in inspected) return { ...base, obstacle: inspected.obstacle, services: [] };
    const { manifest } = inspected;
    const obstacle = library.obstacleTo(manifest);
    const services = servicesFor(manifest);
    return { ...base, manifest, services, ...(obstacle !== undefined && { obstacle }) };
  }

  /** Adopts one model, or all that askd can run and that are not here yet. */
  async function adopt({ name, program, id }: Wanted): Promise<{ adopted: ModelManifest[]; left: Found[] }> {
    const { found } = await find();
    const asked = found.filter((each) => program === undefined || each.candidate.program === program);
    if (name === undefined) {
      const left = asked.filter(({ isAdopted, manifest }) => !isAdopted && !manifest);
      const wanted = asked.filter(({ isAdopted, manifest }) => !isAdopted && manifest);
      return { adopted: wanted.map((each) => take(each)), left };
    }
    return { adopted: [take(choose(asked, name), id)], left: [] };
  }

  function take({ candidate, manifest, obstacle, ...found }: Found, id = found.id): ModelManifest {
    if (!manifest) throw cannotRun(candidate, obstacle ?? 'its files are unreadable');
    const other = library.artifacts().find((artifact) => artifact.id === id);
    if (library.isTaken(id) || (other && !isOf(other, candidate)))
      throw new Failure('already_exists', `A model "${id}" already exists. Choose another name: --id NAME`, {
        param: 'id',
      });
    return library.install({ ...manifest, id }, []);
  }

  return { find, adopt };
}

/** Already imported, downloaded or adopted. */
function isOf(artifact: ModelManifest, { program, name, path }: Candidate): boolean {
  const { origin } = artifact;
  if (origin) return origin.program === PROGRAMS[program] && origin.name === name;
  return program !== 'ollama' && realPath(artifact.path) === realPath(path);
}

function choose(found: readonly Found[], name: string): Found {
  const fitting = found.filter(({ id, candidate }) =>
    [id, candidate.name, candidate.name.replace(/:latest$/, '')].includes(name),
  );
  const [only, other] = fitting;
  if (only === undefined)
    throw new Failure('model_not_found', `No program on this machine has a model "${name}".`, {
      param: 'name',
      details: { fix: 'askd adopt' },
    });
  const exact = fitting.find(({ id }) => id === name);
  if (other === undefined || exact) return exact ?? only;
  const programs = fitting.map(({ candidate }) => candidate.program).join(', ');
  throw new Failure(
    'invalid_value',
    `"${name}" is a model of ${programs}. Say which: --from ${only.candidate.program}`,
    {
      param: 'name',
    },
  );
}

function cannotRun({ name, program }: Candidate, why: string): Failure {
  return new Failure('invalid_model_file', `askd cannot run "${name}" from ${PROGRAMS[program]}: ${why}.`, {
    param: 'name',
  });
}
