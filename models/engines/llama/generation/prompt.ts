import type { LlamaModel, Token } from 'node-llama-cpp';
import { contextLengthExceeded } from '../../../../src/base/context-length.ts';
import { Failure } from '../../../../src/base/errors.ts';
import { hasImages, type ChatAbilities, type ChatPrompt } from '../../../../src/runtime/engine.ts';
import { planAnswer, planText, type AnswerPlan } from '../../answer/answer-plan.ts';
import { createChatTemplates } from '../../answer/template/chat-templates.ts';
import { renderNeutral } from '../../answer/template/assembled-controls.ts';
import { createNeutraliser, type PromptPart } from '../../answer/template/neutralise.ts';
import { toTemplateInput } from '../../answer/template/template-messages.ts';
import { readVocabulary, type Vocabulary } from '../loading/vocabulary.ts';

export type BuiltPrompt = { tokens: Token[]; plan: AnswerPlan };
export type PromptBuilder = ((prompt: ChatPrompt) => BuiltPrompt) & { abilities: ChatAbilities };

/** Turns messages into prompt tokens, or throws the Failure that says why that is impossible. */
export function createPromptBuilder(model: LlamaModel, contextTokens: number): PromptBuilder {
  const vocabulary = readVocabulary(model);
  const neutralise = createNeutraliser(vocabulary.controlTexts);
  const templates = createChatTemplates({
    tokenizer: model.fileInfo.metadata.tokenizer,
    bosToken: model.tokens.bosString ?? '',
    eosToken: model.tokens.eosString ?? '',
  });
  const build = (prompt: ChatPrompt): BuiltPrompt => {
    if (prompt.raw) return { tokens: rawTokens(model, prompt.raw), plan: planText(prompt) };
    if (prompt.messages.some(hasImages)) throw takesNoImages();
    const neutral = neutralise(toTemplateInput(prompt));
    const template = templates.forPrompt(prompt);
    const rendered = renderNeutral(template, neutral, (text) =>
      refuseFarTooLong({ parts: neutral.split(text), vocabulary, contextTokens }),
    );
    const plan = planAnswer(prompt, rendered, template);
    const parts = neutral.split(rendered + plan.suffix);
    const tokens = withBos(model, tokenize({ model, parts, vocabulary }));
    if (tokens.length > 0) return { tokens, plan };
    throw new Failure('invalid_value', 'These messages result in an empty prompt.', { param: 'messages' });
  };
  return Object.assign(build, { abilities: templates.abilities });
}

/** A raw prompt may contain control tokens; whatever is filled in goes between the model's own. */
function rawTokens(model: LlamaModel, { text, suffix }: NonNullable<ChatPrompt['raw']>): Token[] {
  if (suffix === undefined) {
    const tokens =
      typeof text === 'string' ? withBos(model, [...model.tokenize(text, true)]) : known(model, text);
    return tokens.length > 0 ? tokens : beginning(model);
  }
  const { prefix, suffix: after, middle } = model.tokens.infill;
  if (prefix === null || after === null || middle === null) throw fillsNothingIn();
  const before = typeof text === 'string' ? model.tokenize(text, false) : known(model, text);
  const parts = [prefix, ...before, after, ...model.tokenize(suffix, false), middle];
  return withBos(model, parts);
}

function known(model: LlamaModel, tokens: readonly number[]): Token[] {
  const size = model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? 0;
  const wrong = tokens.findIndex((token) => token >= size);
  if (wrong === -1) return [...tokens] as Token[];
  throw new Failure(
    'invalid_value',
    `${tokens[wrong]} is not a token of this model: its tokens are 0 to ${size - 1}.`,
    { param: `prompt[${wrong}]` },
  );
}

/** With nothing to continue, generation starts from the model's first token. */
function beginning({ tokens: { bos } }: LlamaModel): Token[] {
  if (bos !== null) return [bos];
  throw new Failure('invalid_value', 'This model has no BOS token, so it needs a prompt.', {
    param: 'prompt',
  });
}

function fillsNothingIn(): Failure {
  return new Failure(
    'model_capability_mismatch',
    'This model does not support fill-in-the-middle. Omit "suffix", or install one that does: askd pull svc-code-v1.',
    { param: 'suffix' },
  );
}

/** A prompt must leave room for at least one token of an answer. */
export function checkFits(prompt: readonly Token[], contextTokens: number, param = 'messages'): void {
  if (prompt.length >= contextTokens)
    throw contextLengthExceeded({ promptTokens: prompt.length, contextTokens, param });
}

function takesNoImages(): Failure {
  return new Failure(
    'model_capability_mismatch',
    'This model does not accept images. Use svc-vision-v1 (askd pull svc-vision-v1).',
    { param: 'messages' },
  );
}

type TokenizeOptions = { model: LlamaModel; parts: readonly PromptPart[]; vocabulary: Vocabulary };

function tokenize({ model, parts, vocabulary }: TokenizeOptions): Token[] {
  return parts.flatMap(({ text, literal }, index) =>
    index > 0 && vocabulary.addsLeadingSpace
      ? tokenizeContinued(model, text, !literal)
      : model.tokenize(text, !literal),
  );
}

/** A character that no vocabulary merges with what follows. */
const BEFORE = '\u0001';

/** Some vocabularies put a space before every text, which must not appear between the parts of one. */
function tokenizeContinued(model: LlamaModel, text: string, special: boolean): Token[] {
  const before = model.tokenize(BEFORE, special);
  const tokens = model.tokenize(BEFORE + text, special);
  const isCleanCut = before.every((token, index) => token === tokens[index]);
  return isCleanCut ? tokens.slice(before.length) : model.tokenize(text, special);
}

function withBos(model: LlamaModel, tokens: Token[]): Token[] {
  const { bos, shouldPrependBosToken } = model.tokens;
  return bos === null || !shouldPrependBosToken || tokens[0] === bos ? tokens : [bos, ...tokens];
}

type LengthCheck = { parts: readonly PromptPart[]; vocabulary: Vocabulary; contextTokens: number };

/** Tokenizing megabytes would block every other request, so a text that cannot fit is rejected first. */
function refuseFarTooLong({ parts, vocabulary, contextTokens }: LengthCheck): void {
  const characters = parts.reduce((sum, { text }) => sum + text.length, 0);
  const promptTokensMin = Math.ceil(characters / vocabulary.longestToken);
  if (promptTokensMin >= contextTokens)
    throw contextLengthExceeded({ promptTokens: promptTokensMin, contextTokens, isAtLeast: true });
}
