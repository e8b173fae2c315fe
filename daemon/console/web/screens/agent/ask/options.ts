import type { AgentRunRequest } from '../../../../../../src/api/tasks/agent.ts';
import { numberOf, textsOf } from '../../playground/form/texts.ts';

export const MODES = [
  ['research', 'Research'],
  ['coding', 'Coding'],
  ['chat', 'Chat'],
] as const;

export const HINTS: Readonly<Record<Options['mode'], string>> = {
  research: 'Searches, reads, and answers with quotes.',
  coding: 'Also writes a small program and runs it in a sandbox without files or network.',
  chat: 'Only talks and searches nothing.',
};

/** As typed. */
export type Options = {
  mode: (typeof MODES)[number][0];
  model: string;
  maxCycles: string;
  useWeb: boolean;
  /** None chosen means all of them. */
  docs: readonly string[];
  urls: string;
  tokens: string;
  seconds: string;
  fetches: string;
};

export const DEFAULTS: Options = {
  mode: 'research',
  model: 'svc-chat-v1',
  maxCycles: '',
  useWeb: true,
  docs: [],
  urls: '',
  tokens: '',
  seconds: '',
  fetches: '',
};

/** In the daemon's format. */
export const NUMBERS = {
  maxCycles: {
    label: 'Cycles at most',
    hint: 'In each, it decides, searches and reads once. The default is 5, in a chat 1.',
    min: 1,
    max: 8,
  },
  seconds: {
    label: 'Time limit in seconds',
    hint: 'When it runs out, the answer is written from what was found.',
    min: 1,
    max: 3600,
  },
  tokens: {
    label: 'Tokens at most',
    hint: 'In all its requests to the model together. They are what it costs.',
    min: 1000,
    max: undefined,
  },
  fetches: { label: 'Pages to read at most', hint: 'From the web. 0 reads none.', min: 0, max: 50 },
} as const;
export type NumberName = keyof typeof NUMBERS;

const URLS_MAX = 10;
const SOURCES_MAX = 20;

export type Problems = Partial<Record<NumberName | 'urls' | 'docs', string>>;

export function problemsOf(options: Options): Problems {
  const problems: Problems = {};
  for (const name of Object.keys(NUMBERS) as NumberName[]) {
    const { min, max } = NUMBERS[name];
    const value = numberOf(options[name]);
    if (value === undefined || (Number.isInteger(value) && value >= min && value <= (max ?? Infinity)))
      continue;
    problems[name] =
      max === undefined ? `A whole number, at least ${min}.` : `A whole number from ${min} to ${max}.`;
  }
  const urls = textsOf(options.urls);
  const wrong = urls.find((url) => !isWebAddress(url));
  if (wrong !== undefined) problems.urls = `Not a URL: ${wrong}`;
  else if (urls.length > URLS_MAX) problems.urls = `At most ${URLS_MAX} pages.`;
  if (options.docs.length > SOURCES_MAX) problems.docs = `At most ${SOURCES_MAX} collections.`;
  return problems;
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

/** Only what differs from the defaults of the daemon. */
export function toBody(query: string, options: Options, session: string | undefined): AgentRunRequest {
  const { mode, model, docs, useWeb } = options;
  const urls = textsOf(options.urls);
  const maxCycles = numberOf(options.maxCycles);
  const seconds = numberOf(options.seconds);
  const budget = {
    tokens: numberOf(options.tokens),
    ms: seconds === undefined ? undefined : seconds * 1000,
    fetches: numberOf(options.fetches),
  };
  const sources = {
    ...(!useWeb && { web: false }),
    ...(docs.length > 0 && { docs: [...docs] }),
    ...(urls.length > 0 && { urls }),
  };
  return {
    query,
    mode,
    model,
    ...(session !== undefined && { sessionId: session }),
    ...(maxCycles !== undefined && { maxCycles }),
    ...(Object.keys(sources).length > 0 && { sources }),
    ...(Object.values(budget).some((each) => each !== undefined) && { budget: known(budget) }),
  };
}

function known<Fields extends Record<string, number | undefined>>(fields: Fields): Record<string, number> {
  return Object.fromEntries(
    Object.entries(fields).filter((each): each is [string, number] => each[1] !== undefined),
  );
}
