import { readEnvironment } from '../../../config/environment.ts';
import { readProxySettings } from '../../../config/proxy-settings.ts';
import type { TestDaemon } from '../daemon-process.ts';
import { readCassette } from './file.ts';
import type { Upstream } from './forward.ts';
import { openRecorder, type Update } from './record.ts';
import type { Speed } from './replay.ts';
import { openCassetteServer } from './server.ts';

/** Another provider, with /v1. Its key takes the place of the daemon's; without one, programs send their own. */
export type TestUpstream = string | { baseURL: string; apiKey?: string };

/** A file of `askd record`; with an update, what is not in it is asked of the daemon, or the upstream, and added. */
export type TestCassette =
  string | { file: string; update?: Update; upstream?: TestUpstream; speed?: Speed; strict?: boolean };

/** Stands in front of the daemon for tests, whose address it takes. */
export async function openTestCassette(given: TestCassette, daemon: TestDaemon) {
  const { file, update, upstream, ...rest } = typeof given === 'string' ? { file: given } : given;
  const server = update
    ? await openRecorder({ file, update, upstream: upstreamOf(upstream, daemon), ...rest })
    : await openCassetteServer({ file, cassette: readCassette(file), ...rest });
  // A program that forgets to stop it still ends.
  server.unref();
  return server;
}

function upstreamOf(given: TestUpstream | undefined, daemon: TestDaemon): Upstream {
  if (given === undefined) return { baseUrl: daemon.base_url };
  const { baseURL: baseUrl, apiKey } =
    typeof given === 'string' ? { baseURL: given, apiKey: undefined } : given;
  const key = apiKey === undefined ? {} : { key: { from: daemon.api_key, to: apiKey } };
  return { baseUrl, ...key, proxy: readProxySettings(readEnvironment().env) };
}
