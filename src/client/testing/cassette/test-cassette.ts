import { readEnvironment } from '../../../config/environment.ts';
import { readProxySettings } from '../../../config/proxy-settings.ts';
import type { TestDaemon } from '../daemon-process.ts';
import type { Cassette } from './exchange.ts';
import { readCassette } from './file.ts';
import type { Upstream } from './forward.ts';
import { openRecorder, type Update } from './record.ts';
import type { Speed } from './replay.ts';
import { checkedMatch, withRules, type Rules } from './rules.ts';
import { openCassetteServer } from './server.ts';

/** Another provider, with /v1. Its key replaces the daemon's; without one, programs send their own. */
export type TestUpstream = string | { baseURL: string; apiKey?: string };

/**
 * A file of `askd record`. With an update, requests that are not in it are sent to the daemon, or the upstream, and
 * added.
 */
export type TestCassette =
  | string
  | {
      file: string;
      update?: Update;
      upstream?: TestUpstream;
      speed?: Speed;
      strict?: boolean;
      ignore?: readonly string[];
      /** A pattern for parts of a text that may differ, or `set` for a list in any order. */
      match?: Readonly<Record<string, RegExp | string>>;
    };

/** Stands in front of the test daemon and takes its address. */
export async function openTestCassette(given: TestCassette, daemon: TestDaemon) {
  const {
    file,
    update,
    upstream,
    ignore = [],
    match: wanted = {},
    ...rest
  } = typeof given === 'string' ? { file: given } : given;
  const rules = { ignore, match: checkedMatch(wanted) };
  const server = update
    ? await openRecorder({ file, update, upstream: upstreamOf(upstream, daemon), ...rules, ...rest })
    : await openCassetteServer({ file, cassette: withAdded(readCassette(file), rules), ...rest });
  // A program that forgets to stop it can still exit.
  server.unref();
  return server;
}

function withAdded(cassette: Cassette, rules: Rules): Cassette {
  return { ...cassette, ...withRules(cassette, rules) };
}

function upstreamOf(given: TestUpstream | undefined, daemon: TestDaemon): Upstream {
  if (given === undefined) return { baseUrl: daemon.base_url };
  const { baseURL: baseUrl, apiKey } =
    typeof given === 'string' ? { baseURL: given, apiKey: undefined } : given;
  const key = apiKey === undefined ? {} : { key: { from: daemon.api_key, to: apiKey } };
  return { baseUrl, ...key, proxy: readProxySettings(readEnvironment().env) };
}
