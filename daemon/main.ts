import { parseArgs } from 'node:util';
import { toIso } from '../src/base/clock.ts';
import {
  loadSettings,
  readEnvironment,
  resolvePaths,
  type SettingFlags,
  type Settings,
} from '../src/config/config.ts';
import { Failure, toFailure } from '../src/base/errors.ts';
import { finishRestore } from '../src/backup/finish-restore.ts';
import { openSecrets, type Unreadable } from '../src/config/secrets/secrets.ts';
import { openLog, type Log } from '../src/log/log.ts';
import { createLogTail, type LogTail } from '../src/log/log-tail.ts';
import { baseUrls, readPresence, removePresence, writePresence } from '../src/base/presence.ts';
import { takeLock } from '../src/store/lock.ts';
import { version } from '../src/base/version.ts';
import { recordStart, recordStop } from './audit/daemon-records.ts';
import { composeSandbox } from './compose/sandbox.ts';
import { compose, type Services } from './compose.ts';
import { startLoops } from './jobs.ts';
import { loadEarly } from './load-early.ts';
import { listenForOllama, type OllamaListener } from './apis/ollama/listener.ts';
import { listen } from './http/listen.ts';
import type { createServer } from './http/server.ts';
import { keepTickShape } from './http/tick-shape.ts';
import { clearUploads } from './http/upload.ts';
import { announceTest, openTestRun, stopWithParent, type TestRun } from './testing/test-run.ts';

/** Even if a person has to unlock the keyring, the start ends before its caller gives up. */
const KEYRING_MS = 15_000;

type Server = ReturnType<typeof createServer>;

/** Runs until it is stopped, then lets streams finish. Resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  keepTickShape();
  let testRun: TestRun | undefined;
  try {
    const { isTest, load, flags } = readFlags(argv);
    const given = readEnvironment();
    testRun = isTest ? openTestRun(flags, given.testAnswers) : undefined;
    const environment = { ...given, ...(testRun && { home: testRun.home }) };
    const paths = resolvePaths(environment);
    finishRestore(paths.home);
    const { values, unreadable } = await openSecrets(paths).read(KEYRING_MS);
    const settings = await loadSettings(environment, testRun?.flags ?? flags, values);
    refuseOpenNetwork(settings);
    const lock = takeOnlyLock(settings);
    const logTail = createLogTail();
    const { log, close } = openLog({ paths: settings.paths, level: settings.logLevel, tail: logTail });
    if (unreadable) warnOfSecrets(unreadable, log);
    try {
      await run({ settings, log, logTail, testRun, load });
    } finally {
      lock.release();
      await close();
    }
    return 0;
  } catch (error) {
    const failure = toFailure(error);
    process.stderr.write(`error: ${failure.message}\n`);
    if (typeof failure.details['fix'] === 'string') process.stderr.write(`fix: ${failure.details['fix']}\n`);
    if (failure.code === 'internal_error') process.stderr.write(`${String((error as Error).stack)}\n`);
    return failure.kind.exit;
  } finally {
    testRun?.remove();
  }
}

/** The features that need these secrets do not work, and everything else does. */
function warnOfSecrets({ names, reason }: Unreadable, log: Log): void {
  const message =
    `The keyring cannot be used (${reason}), so the daemon runs without ${names.join(', ')}. ` +
    'Unlock it and restart, or keep them in a file: askd secrets migrate --to file';
  log.warn({ names }, message);
  process.stderr.write(`warning: ${message}\n`);
}

type Run = {
  settings: Settings;
  log: Log;
  logTail: LogTail;
  testRun: TestRun | undefined;
  /** The model that the caller is about to use. */
  load: string | undefined;
};

async function run({ settings, log, logTail, testRun, load }: Run): Promise<void> {
  const sandbox = composeSandbox({ settings, log });
  // Its test takes as long as opening the database, in another process.
  if (load !== undefined) void sandbox.find().catch(() => undefined);
  const services = compose({ settings, log, logTail, sandbox, testClock: testRun?.clock });
  const { boot } = services;
  if (testRun) stopWithParent(services);
  try {
    if (load !== undefined) await loadEarly(load, services);
    const [http] = await Promise.all([
      import('./http/server.ts'),
      clearUploads({ folder: settings.paths.uploads }),
    ]);
    const server = http.createServer(services);
    boot.listensOn(await listen(server, settings));
    const second = await listenBeside(server, services);
    const stop = waitForStop(services);
    const stopLoops = await startLoops(services);
    announce(services);
    recordStart(services);
    if (testRun) announceTest(services);
    services.downloads.start();
    await stop;
    await drain(services, () => Promise.all([http.closeServer(server, services), second?.close()]));
    await stopLoops();
    recordStop(services);
  } catch (error) {
    log.fatal({ err: error }, 'daemon failed');
    throw error;
  } finally {
    await services.close();
    removePresence(settings.paths.presence, boot.id);
    log.info('daemon stopped');
  }
}

/** Also listens on Ollama's port, if the owner enabled it. */
async function listenBeside(server: Server, services: Services): Promise<OllamaListener | undefined> {
  const { ollamaApi, ollamaPort } = services.settings;
  if (ollamaPort === 0) return undefined;
  if (!ollamaApi) {
    services.log.warn('ollama_port has no effect while ollama_api is off: askd config set ollama_api on');
    return undefined;
  }
  const second = await listenForOllama(server, services, ollamaPort);
  services.log.info({ port: second.port }, "serving Ollama's clients");
  return second;
}

function announce({ settings, boot, log }: Services): void {
  const address = boot.address();
  writePresence(settings.paths.presence, {
    pid: process.pid,
    ...address,
    version,
    boot_id: boot.id,
    started_at: toIso(boot.startedAt),
  });
  const { host, port } = address;
  log.info({ version, pid: process.pid, host, port, home: settings.paths.home }, 'daemon started');
  process.stdout.write(`askd ${version} is listening on ${baseUrls(address).base_url}\n`);
}

/** A second signal skips waiting for streams. */
function waitForStop({ boot, stopping, log }: Services): Promise<void> {
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    signals += 1;
    log.info({ signal }, 'stop requested');
    boot.requestStop();
    if (signals > 1) stopping.abort(shuttingDown());
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const { stopRequested } = boot;
  return new Promise((resolve) => {
    // It is listening by now: the stop may have been requested earlier.
    if (stopRequested.aborted) resolve();
    stopRequested.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Accepts nothing new, gives running requests a limited time, then ends them with an error that says so. */
async function drain(services: Services, close: () => Promise<unknown>): Promise<void> {
  const { settings, stopping, boot, log } = services;
  log.info({ in_flight: boot.inFlight() }, 'draining');
  const timer = setTimeout(() => stopping.abort(shuttingDown()), settings.drainTimeoutMs);
  await close();
  clearTimeout(timer);
}

function shuttingDown(): Failure {
  return new Failure('shutting_down', 'The daemon is stopping. Try again when it is back: askd up');
}

function takeOnlyLock({ paths }: Settings): { release: () => void } {
  const lock = takeLock(paths.lock);
  if (lock) return lock;
  const running = readPresence(paths.presence);
  const where = running ? ` (pid ${running.pid}, ${baseUrls(running).base_url})` : '';
  throw new Failure(
    'already_running',
    `A daemon is already running for ${paths.home}${where}. Stop it: askd down`,
  );
}

function refuseOpenNetwork({ host, insecureHttp, tlsCert }: Settings): void {
  const loopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (loopback || insecureHttp || tlsCert !== '') return;
  throw new Failure(
    'config_invalid',
    `Listening on ${host} would send keys and conversations over the network unencrypted. ` +
      'Set tls_cert and tls_key, put a TLS proxy in front of 127.0.0.1, or accept it with --insecure-http.',
  );
}

type Flags = { isTest: boolean; load: string | undefined; flags: SettingFlags };

function readFlags(argv: readonly string[]): Flags {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        host: { type: 'string' },
        port: { type: 'string' },
        'insecure-http': { type: 'boolean' },
        offline: { type: 'boolean' },
        load: { type: 'string' },
        test: { type: 'boolean', default: false },
      },
    });
    const { host, port, 'insecure-http': insecureHttp, offline, load, test: isTest } = values;
    const flags = {
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port: toPort(port) }),
      ...(insecureHttp !== undefined && { insecureHttp }),
      ...(offline !== undefined && { offline }),
    };
    return { isTest, load, flags };
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure(
      'invalid_value',
      `${(cause as Error).message}. Usage: askd-daemon [--host H] [--port P] [--insecure-http] [--offline] [--load MODEL] [--test]`,
    );
  }
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Failure('invalid_value', `--port must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
}
