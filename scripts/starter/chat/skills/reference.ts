import { ENDPOINTS } from '../../../../src/api/endpoints.ts';
import { FAILURES, type FailureKind } from '../../../../src/errors.ts';
import { ask, wording, type Making, type Sample, type Skill } from '../sample.ts';

const ACCESS: Readonly<Record<string, string>> = {
  public: 'no key',
  management: 'a dashboard session or the root token',
  control: 'a session, the root token or a key with the scope admin',
  owner: 'the root token',
};
const accessOf = (access: string) => ACCESS[access] ?? `a key with the scope ${access}`;

type Words = (name: string) => string;

const DOES: readonly Words[] = [
  (name) => `What does ${name} do?`,
  (name) => `what is ${name}`,
  (name) => `Explain the endpoint ${name}.`,
  (name) => name,
  (name) => `${name}?`,
  (name) => `Describe ${name}.`,
  (name) => `tell me what ${name} does`,
  (name) => `What happens at ${name}?`,
  (name) => `What about ${name}?`,
  (name) => `what is the endpoint ${name} for?`,
  (name) => `Tell me about ${name}.`,
];

function endpoint(making: Making): Sample {
  const { method, path, summary, access } = making.dice.pick(ENDPOINTS);
  const name = `${method} ${path}`;
  return ask(wording(making, DOES)(name), `${name}: ${summary}. It needs ${accessOf(access)}.`);
}

const WHICH: readonly Words[] = [
  (goal) => `Which endpoint do I call to ${goal}?`,
  (goal) => `what is the HTTP endpoint to ${goal}?`,
  (goal) => `Which endpoint lets me ${goal}?`,
  (goal) => `what URL do I use to ${goal}`,
  (goal) => `over HTTP, how do I ${goal}?`,
  (goal) => `Which route do I call to ${goal}?`,
  (goal) => `endpoint to ${goal}`,
  (goal) => `which API route lets me ${goal}?`,
  (goal) => `How do I ${goal} over HTTP?`,
  (goal) => `Which URL do I call to ${goal}?`,
];
/** The last of each is kept for evaluation. */
const API_GOALS: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/chat/completions': [
    'chat',
    'complete a conversation',
    'talk with a model',
    'get a chat completion',
  ],
  'POST /v1/embeddings': ['get embeddings', 'embed a text', 'turn texts into vectors', 'compute a vector'],
  'POST /v1/rerank': ['rerank documents', 'sort documents by relevance', 'rank passages'],
  'POST /v1/moderations': ['moderate a text', 'score a text for harm', 'check a comment'],
  'POST /v1/completions': ['go on with a text', 'complete a prompt', 'fill in the middle of code'],
  'POST /v1/responses': ['use the Responses API', 'create a response', 'call the responses route'],
  'POST /v1/messages': ['use the Messages API', 'send an Anthropic message', 'speak the Anthropic format'],
  'GET /v1/models': ['list the models', 'see which models there are', 'get all models'],
  'POST /v1/images/generations': ['draw a picture', 'generate an image', 'make an image'],
  'POST /v1/audio/transcriptions': ['transcribe a file', 'turn speech into text', 'get a transcript'],
  'POST /v1/audio/speech': ['read a text aloud', 'turn text into speech', 'make speech'],
  'POST /api/keys': ['create an API key', 'make a key', 'add a new key'],
  'GET /api/keys': ['list API keys', 'see my keys', 'get all keys'],
};
const REACHABLE = ENDPOINTS.filter(({ method, path }) => API_GOALS[`${method} ${path}`]);

function whichEndpoint(making: Making): Sample {
  const { method, path, access } = making.dice.pick(REACHABLE);
  const goal = wording(making, API_GOALS[`${method} ${path}`] ?? []);
  return ask(wording(making, WHICH)(goal), `\`${method} ${path}\`. It needs ${accessOf(access)}.`);
}

const MEANS: readonly Words[] = [
  (code) => `What does the error ${code} mean?`,
  (code) => `what is ${code}`,
  (code) => `I get ${code}. What now?`,
  (code) => `I got the error "${code}"`,
  (code) => `Explain ${code}.`,
  (code) => code,
  (code) => `${code}?`,
  (code) => `What does ${code} mean?`,
  (code) => `The server says ${code}.`,
  (code) => `what can I do about ${code}`,
  (code) => `My request failed with ${code}`,
  (code) => `Do you see ${code} often?`,
  (code) => `Why do I see ${code}?`,
];

function errorCode(making: Making): Sample {
  const [code, kind] = making.dice.pick(Object.entries(FAILURES));
  return ask(wording(making, MEANS)(code), explain(code, kind));
}

function explain(code: string, { status, exit, retry, retryAfterSeconds }: FailureKind): string {
  const again =
    retryAfterSeconds !== undefined
      ? `Try again after ${retryAfterSeconds} seconds.`
      : retry === true || (retry === undefined && status === 429)
        ? 'Waiting can help.'
        : status >= 500 && retry === undefined
          ? 'Look at `askd logs`, or run `askd doctor`.'
          : 'Trying again without a change will not help.';
  const words = code.replaceAll('_', ' ');
  return `${code} means: ${words}. HTTP status ${status}, exit code ${exit}. ${again}`;
}

export const referenceSkills: readonly Skill[] = [
  { name: 'endpoint', weight: 3, make: endpoint },
  { name: 'which-endpoint', weight: 2, make: whichEndpoint },
  { name: 'error-code', weight: 3, make: errorCode },
];
