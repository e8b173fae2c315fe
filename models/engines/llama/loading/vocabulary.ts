import { LlamaVocabularyType, type LlamaModel, type Token } from 'node-llama-cpp';

export type Vocabulary = {
  /** Texts of control tokens, which only the template may write. */
  controlTexts: string[];
  /** Characters in the longest token: a text has at least its length divided by this many tokens. */
  longestToken: number;
  addsLeadingSpace: boolean;
};

export function readVocabulary(model: LlamaModel): Vocabulary {
  const names = model.fileInfo.metadata.tokenizer?.ggml?.tokens ?? [];
  return {
    controlTexts: names.filter((name, token) => isControl(model, token as Token, name)),
    longestToken: names.reduce((longest, name) => Math.max(longest, name.length), 1),
    addsLeadingSpace: model.vocabularyType !== LlamaVocabularyType.bpe,
  };
}

/** Asks the loaded model and not the file: llama.cpp repairs files that list a control token as an ordinary one. */
function isControl(model: LlamaModel, token: Token, name: string): boolean {
  if (name === '') return false;
  const { control, unknown } = model.getTokenAttributes(token);
  return control || unknown;
}
