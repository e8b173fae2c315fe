import {
  exportArchive,
  importArchive,
  type ArchiveProgress as Shown,
} from '../../../src/api/management/archive.ts';
import { anySignal } from '../../../src/base/any-signal.ts';
import {
  exportArchive as write,
  type ArchiveProgress,
  type Exported,
} from '../../../src/library/archive/export-archive.ts';
import { importArchive as read, type Imported } from '../../../src/library/archive/import-archive.ts';
import { collectSettings } from '../../../src/library/archive/settings.ts';
import type { Kit } from '../../../src/library/archive/package/kit.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { sendEvents, toEvent } from '../../http/sse.ts';

export function registerArchive(register: RegisterRoute, services: Services): void {
  const { library, engines, settings, log, stopping } = services;

  register(exportArchive, async ({ body, client, reply, requestId }) => {
    const { path, models: names, split_bytes: splitBytes, settings: withSettings = true } = body;
    const request = {
      path,
      names,
      splitBytes,
      settings: withSettings ? collectSettings(settings) : {},
      install: body.install === true ? { engines: engines.modules(), withGpu: body.gpu ?? true } : undefined,
    };
    const signal = anySignal(client, stopping.signal);
    return sendEvents({
      reply,
      blocks: toBlocks(write(library, request, signal), client, exported),
      onFailure: ({ code, message }) => log.warn({ request_id: requestId, code }, message),
    });
  });

  register(importArchive, async ({ body, client, reply, requestId }) => {
    const signal = anySignal(client, stopping.signal);
    const { path, settings: withSettings = true } = body;
    const parts = { library, modelsFolder: settings.paths.models, settings };
    return sendEvents({
      reply,
      blocks: toBlocks(read(parts, { path, withSettings }, signal), client, imported),
      onFailure: ({ code, message }) => log.warn({ request_id: requestId, code }, message),
    });
  });
}

async function* toBlocks<Result>(
  progress: AsyncGenerator<ArchiveProgress, Result>,
  client: AbortSignal,
  toLast: (result: Result) => Partial<Shown>,
): AsyncGenerator<string> {
  let last: ArchiveProgress = { state: 'verifying', bytes: 0, bytesTotal: 0 };
  try {
    for (;;) {
      const { done, value } = await progress.next();
      if (done === true) {
        yield toEvent({ ...toShown(last), state: 'done' as const, ...toLast(value) });
        return;
      }
      last = value;
      yield toEvent(toShown(value));
    }
  } catch (error) {
    if (!client.aborted) throw error;
  }
}

function toShown({ state, bytes, bytesTotal, settings = [] }: ArchiveProgress): Shown {
  const lists = { models: [], services: [], files: [], left: [], settings: [...settings] };
  return { state, bytes, bytes_total: bytesTotal, ...lists };
}

function exported({ bytes, settings, kit, ...lists }: Exported): Partial<Shown> {
  const outcome = 'exported' as const;
  const carried = Object.entries(settings).map(([name, value]) => ({ name, value, outcome }));
  return {
    ...{ ...lists, settings: carried, bytes, bytes_total: bytes },
    ...(kit && { install: toInstall(kit) }),
  };
}

function toInstall({ version, platform, bytes, engines }: Kit): NonNullable<Shown['install']> {
  return { version, platform, bytes, engines };
}

function imported({ artifacts, bindings, settings }: Imported): Partial<Shown> {
  return {
    models: artifacts.map(({ id }) => id),
    services: bindings.map(({ service }) => service),
    settings: [...settings],
  };
}
