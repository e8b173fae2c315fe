import { createEmbedding, type EmbeddingRequest } from '../../tasks/embeddings.ts';
import { moderate as moderateTexts, type ModerationRequest } from '../../tasks/moderation.ts';
import { createRerank, type RerankRequest } from '../../tasks/rerank.ts';
import { translate as translateText } from '../../tasks/translate.ts';
import { inputOf, LOOKS_ONLY, SLOW, textResult, type Tool } from '../tool.ts';

const EMBED_MODEL = 'svc-embed-v1';
const RERANK_MODEL = 'svc-rerank-v1';
const MODERATION_MODEL = 'svc-moderation-v1';
const TRANSLATE_MODEL = 'svc-translate-v1';

const modelIs = (name: string) => ({ default: name, description: `The model; ${name} by default.` });
const texts = (description: string) => ({
  type: 'array',
  items: { type: 'string', minLength: 1 },
  minItems: 1,
  description,
});

export const embed: Tool = {
  name: 'embed',
  title: 'Make embeddings',
  description:
    'Turns texts into normalized vectors, so that texts can be compared by meaning: the more alike two texts are, the ' +
    'larger the dot product of their vectors.',
  access: createEmbedding.access,
  annotations: LOOKS_ONLY,
  input: () =>
    inputOf(
      createEmbedding.body,
      ['model', 'dimensions'],
      { texts: texts('The texts, one vector for each.'), model: modelIs(EMBED_MODEL) },
      ['texts'],
    ),
  async run({ texts: input, model = EMBED_MODEL, ...options }, { http, signal }) {
    const body = { ...options, model, input } as EmbeddingRequest;
    const { data, usage } = await http.call(createEmbedding, { body, signal, ...SLOW });
    const result = { model, embeddings: data.map(({ embedding }) => embedding), usage };
    return textResult(JSON.stringify(result), result);
  },
};

export const rerank: Tool = {
  name: 'rerank',
  title: 'Rank documents',
  description: 'Sorts documents by how well each answers a query, the best first, with a score from 0 to 1.',
  access: createRerank.access,
  annotations: LOOKS_ONLY,
  input: () =>
    inputOf(
      createRerank.body,
      ['model', 'query', 'documents', 'top_n'],
      { documents: texts('The documents, as texts.'), model: modelIs(RERANK_MODEL) },
      ['query', 'documents'],
    ),
  async run({ model = RERANK_MODEL, ...options }, { http, signal }) {
    const body = { ...options, model, return_documents: true } as RerankRequest;
    const { results, usage } = await http.call(createRerank, { body, signal, ...SLOW });
    const lines = results.map(
      ({ index, relevance_score: score, document }) => `${score.toFixed(3)} [${index}] ${document ?? ''}`,
    );
    return textResult(lines.join('\n'), { model, results, usage });
  },
};

export const moderate: Tool = {
  name: 'moderate',
  title: 'Score texts for harm',
  description:
    'Scores texts in eleven categories of harm, such as hate, threats and self-harm, and flags what is too much.',
  access: moderateTexts.access,
  annotations: LOOKS_ONLY,
  input: () =>
    inputOf(
      moderateTexts.body,
      ['model'],
      { texts: texts('The texts, one result for each.'), model: modelIs(MODERATION_MODEL) },
      ['texts'],
    ),
  async run({ texts: input, ...options }, { http, signal }) {
    const body = { ...options, input } as ModerationRequest;
    const { model, results, category_thresholds, usage } = await http.call(moderateTexts, {
      body,
      signal,
      ...SLOW,
    });
    const lines = results.map(({ flagged, categories }, index) => {
      const names = Object.keys(categories).filter((name) => categories[name]);
      return `[${index}] ${flagged ? `flagged: ${names.join(', ')}` : 'not flagged'}`;
    });
    return textResult(lines.join('\n'), { model, results, category_thresholds, usage });
  },
};

export const translate: Tool = {
  name: 'translate',
  title: 'Translate a text',
  description: 'Translates a text and keeps its lines, lists, code and placeholders.',
  access: translateText.access,
  annotations: LOOKS_ONLY,
  input: () =>
    inputOf(translateText.body, ['text', 'target_language', 'source_language', 'model'], {
      model: modelIs(TRANSLATE_MODEL),
    }),
  async run(input, { http, signal }) {
    const result = await http.call(translateText, { body: input, signal, ...SLOW });
    return textResult(result.translated_text, result);
  },
};
