/** The types of `askd/testing`: the same as src/client/testing exports. */
export const TESTING_TYPES = `import type { Client, WebhookEvent } from './client.d.ts';

export type TestOptions = {
  /** The models that ship with askd, or the answers of a script: its file, or rules in the format of that file. */
  models?: 'starter' | { script: string | { rules: readonly object[] } };
  /** \`personal\` has no limits; \`hosted\` has those of the free tier. */
  profile?: 'personal' | 'hosted';
  /** Settings of the daemon, as ASKD_… variables. */
  env?: Record<string, string>;
  /**
   * Answers chat and all other requests to \`baseURL\` from a file of \`askd record\`. With \`update: 'new'\`,
   * requests that are not in it are sent to the models and added; with \`'all'\`, everything is recorded again. An
   * \`upstream\` is a provider that is asked instead; its \`apiKey\` replaces askd's there. \`speed\` is \`'full'\`
   * by default.
   */
  cassette?:
    | string
    | {
        file: string;
        update?: 'new' | 'all';
        upstream?: string | { baseURL: string; apiKey?: string };
        speed?: 'recorded' | 'full';
        strict?: boolean;
        /** Fields that are not compared, such as body.user. */
        ignore?: readonly string[];
        /** By field: a pattern for parts of a text that may differ, or set for a list in any order. */
        match?: Readonly<Record<string, RegExp | 'set'>>;
      };
};

export type TestAskd = {
  /** With /v1, as the package openai expects it. */
  baseURL: string;
  /** A test key, which can request simulated failures. */
  apiKey: string;
  /** For routes that no API key opens. */
  rootToken: string;
  /** Deleted with the daemon. */
  home: string;
  /** For programs that the tests start: OPENAI_BASE_URL, OPENAI_API_KEY, ASKD_HOME and the like. */
  variables: Record<string, string>;
  /** A client for every route except chat, with all rights. */
  client: Client;
  clock: {
    now: () => Promise<Date>;
    /** By "90 s", "1h30m" or "31 days". */
    advance: (time: string) => Promise<Date>;
    /** It never goes back. */
    set: (date: Date | string) => Promise<Date>;
  };
  /** The first call turns automatic top-ups off for good. */
  wallet: { set: (credits: number) => Promise<void>; empty: () => Promise<void> };
  /**
   * What the daemon sends to an endpoint that subscribes to all events; requests without a valid signature are
   * refused.
   */
  webhooks: {
    url: string;
    secret: string;
    all: () => WebhookEvent[];
    /** Waits for the next event, of this type, that no earlier call has returned. */
    next: <Type extends WebhookEvent['type']>(
      type?: Type,
      options?: { timeoutMs?: number },
    ) => Promise<Extract<WebhookEvent, { type: Type }>>;
  };
  /**
   * Simulated failures for the key's requests to one route: { route: 'POST /v1/chat/completions', status: 429, times:
   * 1 }
   */
  simulate: (rule: Parameters<Client['keys']['simulate']>[1]) => ReturnType<Client['keys']['simulate']>;
  stop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** Starts a daemon for tests, which ends with this process at the latest. */
export function startAskd(options?: TestOptions): Promise<TestAskd>;
`;
