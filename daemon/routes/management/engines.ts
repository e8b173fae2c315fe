import { anySignal } from '../../../src/base/any-signal.ts';
import {
  installEngine,
  listEngines,
  removeEngine,
  type EngineInfo,
  type EngineInstallation,
} from '../../../src/api/management/engines.ts';
import type { EngineRecord } from '../../../src/library/engines/engines.ts';
import { LLAMA_BUILD } from '../../../src/config/llama-build.ts';
import type { InstallProgress } from '../../../src/library/engines/installation.ts';
import { createChannel } from '../../../src/runtime/channel.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { sendEvents, toEvent } from '../../http/sse.ts';

const NOTHING_LEFT: InstallProgress = {
  package: '',
  packagesDone: 0,
  packagesTotal: 0,
  bytesReceived: 0,
  bytesTotal: 0,
};
/** A download reports every chunk; clients need less. */
const REPORT_EVERY_MS = 200;

export function registerEngines(register: RegisterRoute, services: Services): void {
  const { engines, library, pool, log, stopping } = services;

  register(listEngines, () => ({ engines: [...engines.list(), engines.build()].map(toEngineInfo) }));

  register(installEngine, async ({ body, params, client, reply, requestId }) => {
    const name = params['name'] ?? '';
    const before = engines.record(name);
    const events = createChannel<string>();
    const signal = anySignal(client, stopping.signal);
    const onProgress = sparingly((progress) => events.push(toEvent(toInstallation(progress, before))));
    void engines.install(name, { ...body, signal, onProgress }).then((record) => {
      log.info({ engine: name, path: record.path }, 'engine installed');
      events.push(toEvent({ ...toInstallation(NOTHING_LEFT, record), state: 'done' }));
      events.end();
    }, events.fail);
    return sendEvents({
      reply,
      blocks: events.iterate(),
      onFailure: ({ code, message }) => log.warn({ request_id: requestId, code }, message),
    });
  });

  register(removeEngine, async ({ params }) => {
    const name = params['name'] ?? '';
    const served = name === LLAMA_BUILD ? 'llama' : name;
    const loaded = library.artifacts().filter(({ engine }) => engine === served);
    await Promise.all(loaded.map(({ id }) => pool.stop(id)));
    return toEngineInfo(await engines.remove(name));
  });
}

/** Limits the rate of reports. */
function sparingly(report: (progress: InstallProgress) => void): (progress: InstallProgress) => void {
  let reportedAt = 0;
  return (progress) => {
    const now = performance.now();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    report(progress);
  };
}

function toInstallation(progress: InstallProgress, engine: EngineRecord): EngineInstallation {
  return {
    state: 'installing',
    package: progress.package || null,
    packages_done: progress.packagesDone,
    packages_total: progress.packagesTotal,
    bytes_received: progress.bytesReceived,
    bytes_total: progress.bytesTotal,
    engine: toEngineInfo(engine),
  };
}

function toEngineInfo({ path, gpus, ...record }: EngineRecord): EngineInfo {
  return {
    ...record,
    path: path ?? null,
    gpus: gpus.map(({ name, isInstalled }) => ({ name, is_installed: isInstalled })),
  };
}
