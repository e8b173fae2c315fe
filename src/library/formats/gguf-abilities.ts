import type { ModelManifest } from '../../runtime/manifest.ts';
import type { GgufHeader } from './gguf-header.ts';

/** Architectures that this machine's engine cannot run as a text model of their own. */
const UNUSABLE = ['t5encoder', 'clip'];
const ENCODERS = ['bert', 'nomic-bert', 'nomic-bert-moe', 'jina-bert-v2', 'jina-bert-v3', 'gemma-embedding'];

/** `pooling_type` of the format: how a model makes one vector, or one score, of a text. */
const POOLING = { none: 0, rank: 4 };

/** Families trained so that the beginning of a vector is a vector too. Their files do not say so; their makers do. */
const TRUNCATABLE = [
  /qwen3[-_ ]?embedding/i,
  /nomic[-_ ]?embed[-_ ]?text[-_ ]?v(1\.5|2)/i,
  /embedding[-_ ]?gemma/i,
];

export type Abilities = Pick<ModelManifest, 'tasks' | 'embedding' | 'moderation'>;

/** What a GGUF file is for, or nothing where no task fits it. */
export function ggufAbilities(header: GgufHeader): Abilities | undefined {
  const { architecture, poolingType, embeddingLength, name = '' } = header;
  if (UNUSABLE.includes(architecture)) return undefined;
  if (poolingType === POOLING.rank) return { tasks: ['rerank'] };
  const pools = poolingType !== undefined && poolingType !== POOLING.none;
  if (!pools) return ENCODERS.includes(architecture) ? undefined : generatorAbilities(name);
  const truncatable = TRUNCATABLE.some((family) => family.test(name));
  return { tasks: ['embed', 'rerank'], embedding: { dimensions: embeddingLength, truncatable } };
}

/** Models made for judging are asked in the words of their makers, and are no use for talk. */
const GUARDS = /shield|guard/i;

function generatorAbilities(name: string): Abilities {
  if (GUARDS.test(name)) return { tasks: ['moderate'], moderation: GUARD };
  return { tasks: ['chat', 'moderate', 'translate'] };
}

const GUARD = {
  prompt: '{content}\n\nPolicy: the text {policy}. Does the text violate this policy? Answer Yes or No.',
  answers: { yes: 'Yes', no: 'No' },
};
