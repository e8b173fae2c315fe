import { systemClock, type Clock } from '../src/base/clock.ts';
import type { TestClock } from '../src/base/test-clock.ts';
import type { Settings } from '../src/config/config.ts';
import { createAuditLog } from '../src/events/audit/audit-log.ts';
import { createEvents } from '../src/events/events.ts';
import { createRequestUsage } from '../src/wallet/request-usage.ts';
import { createUsageReport } from '../src/inference/usage-report.ts';
import { OPTIONAL_ENGINES, type OptionalEngine } from '../src/library/engines/optional-engines.ts';
import type { Log } from '../src/log/log.ts';
import { createLogTail, type LogTail } from '../src/log/log-tail.ts';
import type { Device } from '../src/runtime/devices/device.ts';
import type { ModelManifest } from '../src/runtime/manifest.ts';
import type { Sandbox } from '../src/runtime/sandbox/sandbox.ts';
import { openRootToken } from '../src/base/secrets.ts';
import { createDeferredWrites } from '../src/store/deferred-writes.ts';
import { openStore } from '../src/store/store.ts';
import { catalog as shippedCatalog } from '../models/catalog.ts';
import { createBoot } from './boot.ts';
import { composeAgent } from './compose/agent.ts';
import { composeAttachments } from './compose/attachments.ts';
import { composeAccess } from './compose/access.ts';
import { readTls } from './http/tls.ts';
import { composeAccounts } from './compose/accounts.ts';
import { composeBatches } from './compose/batches.ts';
import { composeChecks } from './compose/checks.ts';
import { composeInference } from './compose/inference.ts';
import { composeLibrary } from './compose/library.ts';
import { composeDevices } from './compose/devices.ts';
import { composePool } from './compose/pool.ts';
import { composeSandbox } from './compose/sandbox.ts';
import { composeResponses } from './compose/responses.ts';
import { composeActivity, composeTelemetry } from './compose/telemetry.ts';
import { composeTopups } from './compose/topups.ts';
import { composeWebhooks } from './compose/webhooks.ts';
import { createIgnoredCounts } from './apis/parameters/ignored.ts';

export type Services = ReturnType<typeof compose>;

type Parts = {
  settings: Settings;
  log: Log;
  /** Of a daemon for tests. */
  testClock?: TestClock | undefined;
  clock?: Clock;
  catalog?: readonly ModelManifest[];
  logTail?: LogTail;
  sandbox?: Sandbox;
  optionalEngines?: readonly OptionalEngine[];
  /** The graphics cards of this machine. */
  findDevices?: () => Promise<Device[]>;
};

/** Builds the whole daemon, bottom up. Everything opened here is closed by `close`, top down. */
export function compose({
  settings,
  log,
  testClock,
  clock = testClock ?? systemClock,
  catalog = shippedCatalog,
  logTail = createLogTail(),
  sandbox = composeSandbox({ settings, log }),
  optionalEngines = OPTIONAL_ENGINES,
  findDevices,
}: Parts) {
  const { paths } = settings;
  const tls = readTls(settings);
  const rootToken = openRootToken(paths.rootToken);
  const store = openStore(paths.database);
  const deferred = createDeferredWrites({ log });
  const boot = createBoot({ clock, host: settings.host, tls });
  const events = createEvents({ store, clock });
  const auditLog = createAuditLog({ store, clock, days: settings.auditLogDays });
  const base = { settings, store, deferred, clock, testClock, log };
  const accounts = composeAccounts({ ...base, events, bootId: boot.id });
  const topups = composeTopups({ ...base, boot, auditLog, ...accounts });
  const access = composeAccess({ ...base, ...accounts, events });
  const models = composeLibrary({ ...base, catalog, optionalEngines });
  const { library, downloads } = models;
  const { telemetry, closeTelemetry } = composeTelemetry(base);
  const devices = composeDevices({ settings, find: findDevices });
  const pools = composePool({ ...base, ...models, devices, sandbox, events, onEvent: telemetry.pool });
  const { pool, estimate } = pools;
  const inference = composeInference({
    ...{ ...base, ...accounts, events, library, pool, telemetry },
    simulatedOf: access.simulations.of,
  });
  const activity = composeActivity({ clock, ...inference, pool, telemetry });
  const stopping = new AbortController();
  const agent = composeAgent({ ...base, boot, library, pool, ...inference, stopping });
  const batches = composeBatches({ ...base, events, library, files: agent.files });
  const webhooks = composeWebhooks({ ...base, ...accounts, ...access, events, boot });

  async function close(): Promise<void> {
    await agent.closeAgent();
    await downloads.close();
    await Promise.all([pool.close(), closeTelemetry()]);
    topups.close();
    access.keys.close();
    deferred.close();
    store.close();
  }

  return {
    ...base,
    logTail,
    tls,
    rootToken,
    events,
    auditLog,
    ...access,
    ...accounts,
    topups,
    ...models,
    ...pools,
    devices,
    ...composeChecks({ ...base, ...models, pool, estimate }),
    telemetry,
    activity,
    usageReport: createUsageReport({ store, clock }),
    requestUsage: createRequestUsage({ store }),
    ...inference,
    ...composeAttachments(settings, agent.extractor),
    ...agent,
    ...batches,
    ...composeResponses(base),
    stopping,
    ignoredCounts: createIgnoredCounts(),
    boot,
    webhooks,
    close,
  };
}
