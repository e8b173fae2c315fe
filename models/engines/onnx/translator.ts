import { Failure } from '../../../src/base/errors.ts';
import type { ItemEvent, Session, TranslatedText, TranslateRequest } from '../../../src/runtime/engine.ts';
import { checkLength } from '../item-limits.ts';
import type { FairQueue } from '../fair-queue.ts';
import type { OnnxParts } from './embedder.ts';
import { loadOptions } from './folder.ts';
import { tokensOf } from './tokens.ts';

/** What a multilingual tokenizer has beside the common part. */
type LanguageTokenizer = { language_codes?: string[]; lang_to_token?: (code: string) => string };

/** Opens a model of the M2M100 family, which needs source and target language. */
export async function openTranslator(
  { library, folder, contextTokens, threads }: OnnxParts,
  turns: FairQueue,
): Promise<Required<Pick<Session, 'translate'>>> {
  const names = ['encoder_model', 'decoder_model_merged'] as const;
  const precisions = Object.fromEntries(names.map((name) => [name, folder.precisionOf(name)]));
  const pipe = await library.pipeline('translation', folder.path, loadOptions(precisions, threads));
  const { tokenizer } = pipe;
  const languages = (tokenizer as unknown as LanguageTokenizer).language_codes ?? [];
  const frameTokens = tokenizer.encode('a').length - tokensOf(tokenizer, 'a').length;
  const known = languages.map((token) => token.replaceAll('_', ''));

  function checkLanguage(code: string, param: string): void {
    if (known.includes(code)) return;
    const message = `The model does not support the language "${code}". It supports ${known.join(', ')}.`;
    throw new Failure('invalid_value', message, { param });
  }

  async function translateOne(
    text: string,
    request: TranslateRequest,
    tokensMax: number,
  ): Promise<TranslatedText> {
    const options = { src_lang: request.source, tgt_lang: request.target, max_new_tokens: tokensMax };
    const [first] = (await pipe(text, { ...options, num_beams: 1 })) as {
      translation_text: string;
    }[];
    const translation = first?.translation_text ?? '';
    const completionTokens = tokensOf(tokenizer, translation).length + 1;
    return { text: translation, completionTokens, isComplete: completionTokens < tokensMax };
  }

  async function* translate(
    request: TranslateRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<TranslatedText>> {
    checkLanguage(request.source, 'source_language');
    checkLanguage(request.target, 'target_language');
    let tokensLeft = request.maxTokens;
    const items = request.texts.map((text) => {
      const promptTokens = tokensOf(tokenizer, text).length + frameTokens;
      checkLength({ param: 'text', tokens: promptTokens, tokensMax: contextTokens });
      return {
        promptTokens,
        async work() {
          const result = await translateOne(text, request, Math.min(tokensLeft, contextTokens));
          tokensLeft -= result.completionTokens;
          return result;
        },
      };
    });
    yield { type: 'prompt', promptTokens: items.reduce((sum, { promptTokens }) => sum + promptTokens, 0) };
    yield* turns.run(items, signal);
  }

  return { translate };
}
