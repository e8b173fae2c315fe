import type { LlamaContext, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import { Failure } from '../../../../src/base/errors.ts';
import type { Draftable } from '../generation/generation.ts';
import { createNativeSampler, decode } from '../sampling/native-sampler.ts';
import type { Drafter, OpenDrafter } from './speculative.ts';

/** How much of the text a draft model catches up on in one step, so that nothing waits long for it. */
const CATCH_UP_TOKENS = 256;
/** Vocabularies of one family are padded to different lengths. */
const PADDING_MAX = 128;

export type DraftModelOptions = {
  draft: LlamaModel;
  context: LlamaContext;
  id: string;
  /** Vocabulary size of the target model, and one of its sequences. */
  vocabularySize: number;
  target: LlamaContextSequence | undefined;
};

/** A smaller model that drafts tokens for the larger one. */
export function openDraftModel({
  draft,
  context,
  id,
  vocabularySize,
  target,
}: DraftModelOptions): OpenDrafter {
  const sequences = Array.from({ length: context.totalSequences }, () => context.getSequence());
  // A model that cannot remove a single token cannot take back a rejected draft.
  if (target?.needsCheckpoints) throw mismatch(id, "the model's state cannot be rolled back");
  if (sequences[0]?.needsCheckpoints) throw mismatch(id, 'its state cannot be rolled back');
  return (draftable, place) => {
    const sequence = sequences[place];
    if (!sequence) throw new Error(`There is no sequence ${place} to draft with`);
    return createModelDrafter({ draft, sequence, draftable, vocabularySize });
  };
}

type DrafterOptions = {
  draft: LlamaModel;
  sequence: LlamaContextSequence;
  draftable: Draftable;
  vocabularySize: number;
};

function createModelDrafter({ draft, sequence, draftable, vocabularySize }: DrafterOptions): Drafter {
  const { prompt, generated } = draftable;
  const sampler = createNativeSampler(sequence, draft);
  /** The sequence certainly holds this many tokens of the text, followed by these draft tokens. */
  let held: number | undefined;
  let drafted: Token[] = [];

  const at = (place: number) =>
    (place < prompt.length ? prompt[place] : generated[place - prompt.length]) as Token;
  const missing = () => {
    const from = held ?? 0;
    return Array.from({ length: prompt.length + generated.length - from }, (_, index) => at(from + index));
  };

  /** Removes rejected draft tokens. */
  async function align(): Promise<void> {
    if (held === undefined) {
      await sequence.adaptStateToTokens(prompt.slice(0, -1), false);
      held = sequence.nextTokenIndex;
    }
    const right = drafted.findIndex((draftToken, index) => draftToken !== at((held ?? 0) + index));
    const kept = right < 0 ? drafted.length : right;
    const wrong = drafted.length - kept;
    held += kept;
    drafted = [];
    if (wrong > 0) await sequence.eraseContextTokenRanges([{ start: held, end: held + wrong }]);
  }

  async function draftToken(tokens: readonly Token[]): Promise<Token | undefined> {
    let next: Token | undefined;
    await decode(sequence, tokens, tokens.length - 1, async (place) => {
      next = await sampler.sample(place, { temperature: 0 });
      return false;
    });
    return next !== undefined && next < vocabularySize && !draft.isEogToken(next) ? next : undefined;
  }

  return {
    async ready() {
      const room = sequence.contextSize - 1 - (prompt.length + generated.length);
      if (room <= 0) return 0;
      await align();
      const behind = missing();
      if (behind.length <= CATCH_UP_TOKENS) return room;
      await sequence.evaluateWithoutGeneratingNewTokens(behind.slice(0, CATCH_UP_TOKENS));
      held = (held ?? 0) + CATCH_UP_TOKENS;
      return 0;
    },
    async propose(count) {
      const tokens = missing();
      const proposed: Token[] = [];
      let next = await draftToken(tokens);
      held = (held ?? 0) + tokens.length;
      while (next !== undefined) {
        proposed.push(next);
        if (proposed.length >= count) break;
        drafted.push(next);
        next = await draftToken([next]);
      }
      return proposed;
    },
    close: () => sampler.dispose(),
  };
}

/** A draft is a list of token ids, so both models must give them the same meaning. */
export function checkSameVocabulary(model: LlamaModel, draft: LlamaModel, draftId: string): void {
  const why = differenceOf(model, draft);
  if (why === undefined) return;
  throw mismatch(draftId, why);
}

function mismatch(draftId: string, why: string): Failure {
  return new Failure(
    'draft_mismatch',
    `"${draftId}" cannot draft for this model: ${why}. Bind a smaller model of the same family, or none: askd bind SERVICE-ID ARTIFACT --no-draft.`,
  );
}

function differenceOf(model: LlamaModel, draft: LlamaModel): string | undefined {
  if (model.vocabularyType !== draft.vocabularyType) return 'it tokenizes text differently';
  const [own, others] = [tokensOf(model), tokensOf(draft)];
  if (Math.abs(own.length - others.length) > PADDING_MAX)
    return `it has ${others.length} tokens, and the model ${own.length}`;
  const common = Math.min(own.length, others.length);
  for (let token = 0; token < common; token++)
    if (own[token] !== others[token])
      return `its token ${token} is ${JSON.stringify(others[token])}, and the model's ${JSON.stringify(own[token])}`;
  return undefined;
}

function tokensOf(model: LlamaModel): readonly string[] {
  return model.fileInfo.metadata.tokenizer?.ggml?.tokens ?? [];
}
