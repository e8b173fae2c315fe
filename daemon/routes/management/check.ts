import { checkModel, type CheckProgress, type ModelCheck } from '../../../src/api/management/check.ts';
import { anySignal } from '../../../src/base/any-signal.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { CheckEvent } from '../../../src/check/check.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { sendEvents, toEvent } from '../../http/sse.ts';
import { toCheck, toCheckStep } from '../../status/check-records.ts';

export function registerCheck(register: RegisterRoute, services: Services): void {
  const { checks, library, log, stopping } = services;

  register(checkModel, async ({ body, client, reply, requestId }) => {
    const { model, full = false } = body;
    const manifest = requireRunnable(model, library);
    const signal = anySignal(client, stopping.signal);
    return sendEvents({
      reply,
      blocks: toBlocks(checks.check(manifest, { isFull: full }, signal), client),
      onFailure: ({ code, message }) => log.warn({ request_id: requestId, code }, message),
    });
  });
}

function requireRunnable(model: string, library: Services['library']): ModelManifest {
  const manifest = library.resolve(model);
  if (manifest.engine === 'script') {
    const message = `"${model}" gives the answers of ${manifest.path}: there is no model to check.`;
    throw new Failure('model_capability_mismatch', message, { param: 'model' });
  }
  return manifest;
}

/** A client that disconnects ends the check. */
async function* toBlocks(events: AsyncIterable<CheckEvent>, client: AbortSignal): AsyncGenerator<string> {
  try {
    for await (const event of events) yield toEvent(toProgress(event));
  } catch (error) {
    if (!client.aborted) throw error;
  }
}

const NOTHING: Pick<CheckProgress, 'name' | 'step' | 'check'> = { name: null, step: null, check: null };

function toProgress(event: CheckEvent): CheckProgress {
  if (event.type === 'running') return { ...NOTHING, state: 'running', name: event.step };
  if (event.type === 'finished') return { ...NOTHING, state: 'finished', step: toCheckStep(event.step) };
  return { ...NOTHING, state: 'done', check: toCheck(event.check) satisfies ModelCheck };
}
