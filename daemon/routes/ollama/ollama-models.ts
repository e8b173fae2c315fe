import {
  ollamaCopy,
  ollamaDelete,
  ollamaPs,
  ollamaPull,
  ollamaRefused,
  ollamaShow,
  ollamaTags,
  ollamaVersion,
  type Progress,
} from '../../../src/api/ollama/models.ts';
import { anySignal } from '../../../src/base/any-signal.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { sendLines } from '../../http/ndjson.ts';
import { toOllamaError } from '../../apis/ollama/errors.ts';
import { toModelName, withoutLatest } from '../../apis/ollama/names.ts';
import { toProgress } from '../../apis/ollama/pulling.ts';
import { listRunning, listTags, showModel } from '../../apis/ollama/records.ts';
import { forgetKeys } from '../management/upstreams.ts';

/** Clients use it for feature detection; this is the version whose API is implemented. */
const OLLAMA_VERSION = '0.12.6';

/** The models on this machine, as Ollama's clients see and change them. */
export function registerOllamaModels(register: RegisterRoute, services: Services): void {
  const { library, pool, log } = services;

  register(ollamaVersion, () => ({ version: OLLAMA_VERSION }));
  register(ollamaTags, () => ({ models: listTags(services) }));
  register(ollamaPs, () => ({ models: listRunning(services) }));
  register(ollamaShow, ({ body }) => showModel(library.resolve(toModelName(body, library)), services));

  register(ollamaPull, async ({ body, client, reply, requestId }) => {
    const model = toModelName(body, library);
    const lines = await pull(model, withoutLatest(body.model ?? body.name ?? ''), client, services);
    if (body.stream === false) return lastOf(lines);
    return sendLines({
      reply,
      lines,
      toFailureLine: toOllamaError,
      onFailure: ({ code }) =>
        log.debug({ request_id: requestId, code }, 'the progress stream of a download failed'),
    });
  });

  register(ollamaCopy, ({ body, reply }) => {
    const source = toModelName({ model: body.source }, library);
    library.addAlias(withoutLatest(body.destination), library.resolve(source).id);
    return void reply.send();
  });

  register(ollamaDelete, async ({ body, reply }) => {
    const { id } = library.remove(toModelName(body, library), { force: false });
    await pool.stop(id);
    forgetKeys(services);
    return void reply.send();
  });

  for (const endpoint of ollamaRefused) register(endpoint, () => goesAnotherWay(endpoint.path));
}

/** The download continues if its client disconnects, like every download. */
async function pull(
  model: string,
  requested: string,
  client: AbortSignal,
  { pulls, downloads, library, stopping }: Services,
): Promise<AsyncGenerator<Progress>> {
  const { download, artifact } = await pulls.pull({ model }, client);
  const states = download && downloads.watch(download.id, anySignal(client, stopping.signal));
  return (async function* () {
    if (states) yield* toProgress(states);
    else yield { status: 'pulling manifest' };
    const id = download?.artifact ?? artifact?.id ?? model;
    // It will be requested under the name with which it was pulled.
    if (requested !== model && !library.findArtifact(requested)) library.addAlias(requested, id);
    yield { status: 'success' };
  })();
}

async function lastOf(lines: AsyncIterable<Progress>): Promise<Progress> {
  let last: Progress = { status: 'success' };
  for await (const line of lines) last = line;
  return last;
}

function goesAnotherWay(path: string): never {
  const what =
    path === '/api/push'
      ? 'askd does not upload models. To share one, copy its file; askd show NAME prints its path.'
      : 'Modelfiles are not supported. Import a GGUF file: askd import FILE --id NAME. Send the system prompt and options with each request.';
  throw new Failure('invalid_value', what);
}
