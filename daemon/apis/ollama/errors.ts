import type { FastifyRequest } from 'fastify';
import { OLLAMA_ENDPOINTS } from '../../../src/api/ollama/endpoints.ts';
import { toErrorBody, type Failure, type FailureCode } from '../../../src/base/errors.ts';

const PATHS = new Set(OLLAMA_ENDPOINTS.map(({ path }) => path.replace(/\/\{.*$/, '')));
const NO_MODEL: readonly FailureCode[] = ['model_not_found', 'model_not_installed'];

export function speaksOllama({ url }: Pick<FastifyRequest, 'url'>): boolean {
  const [path = ''] = url.split('?');
  return PATHS.has(path) || path.startsWith('/api/blobs/');
}

/** A failure in Ollama's shape. By this wording its clients recognise that a model must be pulled. */
export function toOllamaError(failure: Failure): { error: string; code: FailureCode } {
  const { message, fix } = toErrorBody(failure).error;
  const text = typeof fix === 'string' ? `${message} ${fix}` : message;
  const { code } = failure;
  return { error: NO_MODEL.includes(code) ? `model not found, try pulling it first: ${text}` : text, code };
}
