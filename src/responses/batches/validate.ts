import { Failure } from '../../base/errors.ts';
import { readLines, type Request } from './lines.ts';

export type BatchError = { code: string; line: number | null; message: string; param: string | null };

export type Valid = { total: number; model: string | null };

export const LINES_MAX = 50_000;
const CUSTOM_ID_CHARACTERS_MAX = 512;
/** In a file with this many errors, further ones add nothing. */
const ERRORS_MAX = 100;

type Rules = {
  path: string;
  endpoint: string;
  /** Throws a Failure for a model that cannot be used. */
  checkModel: (model: string) => void;
  signal: AbortSignal;
};

/** Reads the whole file before its first request runs, so that a mistake in the last line costs nothing. */
export async function validate({ path, endpoint, checkModel, signal }: Rules): Promise<Valid | BatchError[]> {
  const errors: BatchError[] = [];
  const ids = new Map<string, number>();
  let model: string | null | undefined;
  let total = 0;
  for await (const { number, text } of readLines(path)) {
    signal.throwIfAborted();
    total += 1;
    const add = ({ code, message, param }: Fault) =>
      errors.push({ code, line: number, message, param: param ?? null });
    const read = readRequest(text, endpoint);
    if ('code' in read) add(read);
    else {
      const earlier = ids.get(read.custom_id);
      if (earlier !== undefined) add(duplicate(read.custom_id, earlier));
      ids.set(read.custom_id, number);
      const named = typeof read.body['model'] === 'string' ? read.body['model'] : null;
      if (model === undefined) model = named;
      else if (named !== model) add(otherModel(named, model));
    }
    if (total > LINES_MAX) errors.unshift(tooMany());
    if (errors.length >= ERRORS_MAX || total > LINES_MAX) return errors;
  }
  if (total === 0)
    errors.push({ code: 'empty_file', line: null, message: 'The file has no requests.', param: null });
  if (errors.length === 0 && model != null) errors.push(...faultsOfModel(model, checkModel));
  return errors.length > 0 ? errors : { total, model: model ?? null };
}

type Fault = { code: string; message: string; param?: string };

function readRequest(text: string, endpoint: string): Request | Fault {
  const request = parse(text);
  if (!isObject(request))
    return { code: 'invalid_json_line', message: 'This line is not a JSON object on one line.' };
  const { custom_id: id, method, url, body } = request;
  if (typeof id !== 'string' || id === '') return missing('custom_id', 'a string');
  if (id.length > CUSTOM_ID_CHARACTERS_MAX)
    return invalid('custom_id', `custom_id may have at most ${CUSTOM_ID_CHARACTERS_MAX} characters.`);
  if (method === undefined) return missing('method', '"POST"');
  if (method !== 'POST') return invalid('method', 'method must be "POST".');
  if (url === undefined) return missing('url', JSON.stringify(endpoint));
  if (url !== endpoint) {
    const message = `url is ${JSON.stringify(url)}, but the endpoint of this batch is "${endpoint}".`;
    return { code: 'url_mismatch', message, param: 'url' };
  }
  if (!isObject(body)) return missing('body', 'the body of the request, an object');
  if (body['stream'] === true)
    return invalid('body.stream', 'A request of a batch cannot stream. Omit "stream".');
  return { custom_id: id, method, url, body };
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const missing = (param: string, what: string): Fault => ({
  code: 'missing_required_parameter',
  message: `${param} is missing: it must be ${what}.`,
  param,
});

const invalid = (param: string, message: string): Fault => ({ code: 'invalid_value', message, param });

const duplicate = (id: string, line: number): Fault => ({
  code: 'duplicate_custom_id',
  message: `The custom_id ${JSON.stringify(id)} is already used on line ${line}.`,
  param: 'custom_id',
});

const otherModel = (named: string | null, model: string | null): Fault => ({
  code: 'model_mismatch',
  message: `The model is ${JSON.stringify(named)}, but that of the first line is ${JSON.stringify(model)}. All must be the same.`,
  param: 'body.model',
});

const tooMany = (): BatchError => ({
  code: 'too_many_tasks',
  line: null,
  message: `A batch can have at most ${LINES_MAX} requests. Split the file.`,
  param: null,
});

function faultsOfModel(model: string, checkModel: (model: string) => void): BatchError[] {
  try {
    checkModel(model);
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ code: error.code, line: 1, message: error.message, param: 'body.model' }];
  }
}
