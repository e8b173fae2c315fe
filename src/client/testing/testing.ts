import { resolve } from 'node:path';
import { WEBHOOK_EVENT_SUMMARIES } from '../../api/account/webhook-event-summaries.ts';
import { readEnvironment } from '../../config/config.ts';
import { createClient } from '../client.ts';
import { AskdError } from '../error.ts';
import { openInbox } from './inbox.ts';
import { localFetch } from './local-fetch.ts';
import type { CassetteServer } from './cassette/server.ts';
import { openTestCassette, type TestCassette } from './cassette/test-cassette.ts';
import { startTestDaemon, type TestDaemon } from './daemon-process.ts';

export type TestOptions = {
  models?: 'starter' | { script: string | object };
  profile?: 'personal' | 'hosted';
  env?: Record<string, string>;
  /** Recorded answers in front of the daemon. */
  cassette?: TestCassette;
};

/** A daemon for the tests of a program: its own home, port, key and clock, and an inbox for its webhooks. */
export async function startAskd(options: TestOptions = {}) {
  const { models = 'starter', profile = 'personal', env = {} } = options;
  const daemon = await startTestDaemon({
    env: { ...withoutSettings(readEnvironment().env), ...answersOf(models), ASKD_PROFILE: profile, ...env },
  });
  const { management_url, root_token: rootToken, api_key: apiKey, home } = daemon;
  const client = createClient({ baseURL: management_url, apiKey: rootToken, fetch: localFetch });
  const call = createCall(daemon);
  const events = Object.keys(WEBHOOK_EVENT_SUMMARIES);
  let cassette: CassetteServer | undefined;
  try {
    if (options.cassette !== undefined) cassette = await openTestCassette(options.cassette, daemon);
    const inbox = await openInbox((url) => call('POST', 'webhooks', { name: 'tests', url, events }));
    const { close, ...webhooks } = inbox;
    daemon.unref();
    const stop = async (): Promise<void> => {
      close();
      await cassette?.close();
      await daemon.stop();
    };
    const baseURL = cassette?.baseUrl ?? daemon.base_url;
    const variables = { ...daemon.variables, ...cassette?.variables };
    const { key_id: keyId } = daemon;
    const simulate = (rule: object) => call('POST', `keys/${keyId}/simulations`, rule);
    return {
      ...{
        baseURL,
        apiKey,
        rootToken,
        home,
        variables,
        client,
        ...createControl(call),
        webhooks,
        simulate,
        stop,
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await cassette?.close();
    await daemon.stop();
    throw error;
  }
}

type Call = ReturnType<typeof createCall>;

function createCall({ management_url: url, root_token: token }: TestDaemon) {
  return async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const response = await localFetch(`${url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer as Result;
    throw new AskdError(response.status, answer, response.headers);
  };
}

function createControl(call: Call) {
  const time = async (method: string, body?: object) =>
    new Date((await call<{ now: string }>(method, 'test/clock', body)).now);
  const setWallet = async (balance: number): Promise<void> =>
    void (await call('PUT', 'test/wallet', { balance }));

  return {
    clock: {
      now: () => time('GET'),
      advance: (text: string) => time('PUT', { advance: text }),
      set: (date: Date | string) => time('PUT', { now: new Date(date).toISOString() }),
    },
    wallet: { set: setWallet, empty: () => setWallet(0) },
  };
}

/** The settings of the person who runs the tests must not affect the results. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(ASKD|INFERENCE)_/.test(name)));
}

function answersOf(models: NonNullable<TestOptions['models']>): Record<string, string> {
  if (models === 'starter') return {};
  const { script } = models;
  return typeof script === 'string'
    ? { ASKD_SCRIPTED_ANSWERS: resolve(script) }
    : { ASKD_TEST_ANSWERS: JSON.stringify(script) };
}
