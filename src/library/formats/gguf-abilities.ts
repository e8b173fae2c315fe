import type { ModelManifest } from '../../runtime/manifest.ts';
import type { GgufHeader } from './gguf-header.ts';

/** Architectures that the engine does not run as text models, by reason. */
const UNUSABLE: readonly (readonly [reason: string, architectures: string])[] = [
  ['it has an encoder and a decoder, and askd runs decoder-only models', 't5'],
  ['it is the encoder of another model', 't5encoder clip'],
  ['it is part of a speech model', 'wavtokenizer-dec pockettts qwen3tts'],
  ['it generates by diffusion, for which llama.cpp keeps no cache', 'dream llada llada-moe rnd1'],
  ['it only drafts tokens for another model', 'eagle3 dflash gemma4-assistant'],
  ['llama.cpp knows its name but cannot load it', 'gptj'],
  ['llama.cpp crashes on every prompt that it evaluates in more than one batch', 'chameleon'],
];

/** Why an architecture is refused; undefined if it is not. */
export function refusalReason(architecture: string): string | undefined {
  return UNUSABLE.find(([, names]) => names.split(' ').includes(architecture))?.[0];
}

/** Without a cache as well, so that they can only embed. */
const ENCODERS =
  'bert modern-bert neo-bert eurobert nomic-bert nomic-bert-moe jina-bert-v2 jina-bert-v3 gemma-embedding'.split(
    ' ',
  );

/** `pooling_type` of the format: how a model pools its output into one vector or score. */
const POOLING = { none: 0, rank: 4 };

/** Matryoshka models, whose vectors can be truncated. Their files do not say so, but their authors do. */
const TRUNCATABLE = [
  /qwen3[-_ ]?embedding/i,
  /nomic[-_ ]?embed[-_ ]?text[-_ ]?v(1\.5|2)/i,
  /embedding[-_ ]?gemma/i,
];

export type Abilities = Pick<ModelManifest, 'tasks' | 'embedding' | 'moderation'>;

/** The task of a GGUF file, or undefined if none fits. */
export function ggufAbilities(header: GgufHeader): Abilities | undefined {
  const { architecture, poolingType, embeddingLength, name = '' } = header;
  if (refusalReason(architecture) !== undefined) return undefined;
  if (poolingType === POOLING.rank) return { tasks: ['rerank'] };
  const pools = poolingType !== undefined && poolingType !== POOLING.none;
  if (!pools) return ENCODERS.includes(architecture) ? undefined : generatorAbilities(name);
  const truncatable = TRUNCATABLE.some((family) => family.test(name));
  return { tasks: ['embed', 'rerank'], embedding: { dimensions: embeddingLength, truncatable } };
}

/** Why it has no task here. */
export function whyNotUsable(architecture: string): string {
  const reason = refusalReason(architecture);
  return reason === undefined
    ? `it is a ${architecture} model, which supports neither chat nor embeddings`
    : `it is a ${architecture} model, which cannot run here: ${reason}`;
}

/** Guard models are prompted in their authors' words and cannot be used for chat. */
const GUARDS = /shield|guard/i;

function generatorAbilities(name: string): Abilities {
  if (GUARDS.test(name)) return { tasks: ['moderate'], moderation: GUARD };
  return { tasks: ['chat', 'moderate', 'translate'] };
}

const GUARD = {
  prompt: '{content}\n\nPolicy: the text {policy}. Does the text violate this policy? Answer Yes or No.',
  answers: { yes: 'Yes', no: 'No' },
};
