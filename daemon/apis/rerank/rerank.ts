import type {
  RerankAliasRequest,
  RerankDocumentsResult,
  RerankRequest,
  RerankResult,
  RerankScores,
} from '../../../src/api/tasks/rerank.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Ranking, RerankInput } from '../../../src/inference/rerank.ts';

/** Cohere's billing unit: up to a hundred documents are one search. */
const DOCUMENTS_PER_SEARCH = 100;
const MODEL = 'svc-rerank-v1';
const TEXT_FIELDS = ['text'];

export type RerankBody = RerankRequest | RerankAliasRequest;
type Given = NonNullable<RerankAliasRequest['documents']>[number];

/** A document is returned as its text, or as the object that was sent. */
export type RerankShape = 'text' | 'object';

export function toRerankInput(body: RerankBody): RerankInput {
  const { model = MODEL, query, top_n: topN, max_tokens_per_doc: maxTokensPerDocument } = body;
  return {
    model,
    query,
    documents: textsOf(body),
    ...(topN !== undefined && { topN }),
    ...(maxTokensPerDocument !== undefined && { maxTokensPerDocument }),
  };
}

function textsOf(body: RerankBody): string[] {
  const texts = 'texts' in body ? body.texts : undefined;
  if (texts && body.documents)
    throw new Failure('invalid_value', 'Give "documents" or "texts", not both.', { param: 'texts' });
  if (texts) return texts;
  if (!body.documents) throw missing('documents');
  const fields = body.rank_fields ?? TEXT_FIELDS;
  return body.documents.map((document, index) => textOf(document, fields, `documents[${index}]`));
}

/** If several fields count, each is included with its name. */
function textOf(document: Given, fields: readonly string[], param: string): string {
  if (typeof document === 'string') return document;
  const found = fields.filter((field) => Object.hasOwn(document, field));
  const [only] = found;
  if (only === undefined) throw missing(`${param}.${fields[0]}`);
  const values = document as Record<string, unknown>;
  const wrong = found.find((field) => typeof values[field] !== 'string');
  if (wrong !== undefined)
    throw new Failure('invalid_value', `"${param}.${wrong}" must be string.`, { param: `${param}.${wrong}` });
  if (fields.length === 1) return String(values[only]);
  return found.map((field) => `${field}: ${String(values[field])}`).join('\n');
}

function missing(param: string): Failure {
  return new Failure('missing_required_parameter', `The parameter "${param}" is required.`, { param });
}

type Answered = { body: RerankBody; input: RerankInput; requestId: string; shape: RerankShape };

export function toRerankAnswer(
  { results, promptTokens }: Ranking,
  { body, input, requestId, shape }: Answered,
): RerankResult | RerankDocumentsResult | RerankScores {
  if ('texts' in body && body.texts) {
    const isShown = body.return_text ?? body.return_documents ?? false;
    return results.map(({ index, score }) => ({
      index,
      score,
      ...(isShown && { text: input.documents[index] ?? '' }),
    }));
  }
  const shown = (index: number) =>
    shape === 'text' ? (input.documents[index] ?? '') : asObject(body.documents?.[index]);
  return {
    id: requestId.replace(/^req_/, 'rerank-'),
    model: input.model,
    results: results.map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(body.return_documents && { document: shown(index) }),
    })),
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    meta: { billed_units: { search_units: Math.ceil(input.documents.length / DOCUMENTS_PER_SEARCH) } },
  } as RerankResult | RerankDocumentsResult;
}

function asObject(document: Given = ''): Record<string, unknown> {
  return typeof document === 'string' ? { text: document } : document;
}
