import { ENDPOINTS } from '../../../../src/api/endpoints.ts';
import { FAILURES, type FailureKind } from '../../../../src/base/errors.ts';
import { begun, filled, phrase } from '../phrases.ts';
import { ask, type Making, type Sample, type Skill } from '../sample.ts';

const ACCESS: Readonly<Record<string, string>> = {
  public: 'no key',
  management: 'a dashboard session or the root token',
  control: 'a session, the root token or a key with the scope admin',
  owner: 'the root token',
};
const accessOf = (access: string) => ACCESS[access] ?? `a key with the scope ${access}`;

const DOES =
  '(what does|what is|what is the endpoint|what happens at|what about|what is the use of|what do I get from|what can I do with) {n}( do| for|)?|' +
  '(explain|describe|tell me about|tell me what happens at|help with|I need) (the endpoint |the route |){n}|{n}|(the endpoint|the route|endpoint|route) {n}';

function endpoint(making: Making): Sample {
  const { method, path, summary, access } = making.dice.pick(ENDPOINTS);
  const name = `${method} ${path}`;
  return ask(said(making, DOES, { n: name }), `${name}: ${summary}. It needs ${accessOf(access)}.`);
}

const WHICH =
  '(which|what) (endpoint|route|URL|API route|HTTP endpoint|path|API endpoint) (do I call to|lets me|do I use to|can I use to|must I call to|is there to|would I call to) {g}?|' +
  '(what is|tell me|name|give me) the (endpoint|route|URL|HTTP endpoint|API route|path) to {g}|' +
  '(over HTTP, |with the API, |by HTTP, )(how do I|how can I) {g}?|(how do I|how can I) {g} (over HTTP|with the API|by HTTP|through the API|with curl|from my program)?|' +
  '(endpoint|route|URL|API endpoint) (to|if I want to) {g}';
/** What a caller of the route wants. */
const API_GOALS: Readonly<Record<string, string>> = {
  'POST /v1/chat/completions':
    '(get|create|request|start) (a chat completion|chat completions|a completion of a chat)|(chat|talk|speak|converse) with (a model|the model|the assistant)|(complete|continue) a (conversation|chat)|send (a chat message|messages to the model)',
  'POST /v1/embeddings':
    '(get|create|compute|make|request) (embeddings|an embedding|a vector|vectors)( of a text| of texts| for a text|)|(embed|vectorize) (a text|texts|sentences)|(turn|convert) (texts|a text) into (vectors|a vector)',
  'POST /v1/rerank':
    '(rerank|rank|order|sort) (documents|passages|texts|search results)( by relevance| for a query| against a query|)|(get|compute) relevance scores',
  'POST /v1/moderations':
    '(moderate|check|score|screen) (a text|texts|a comment|a message)( for harm| for hate|)|(find|detect) (harmful|hateful) (texts|comments)',
  'POST /v1/completions':
    '(go on with|continue|complete) (a text|a prompt|code)|(fill in|complete) the middle of (code|a text)|(get|create) a (text completion|legacy completion)',
  'POST /v1/responses':
    '(use|call|speak|try) the Responses API|(create|get|request) a response( of the Responses API|)',
  'POST /v1/messages':
    '(use|call|speak|try) the (Messages API|Anthropic API|Anthropic format)|(send|create) (an Anthropic message|a message as Anthropic clients do)',
  'POST /v1/translate':
    '(translate|get a translation of) (a text|texts|a sentence)( into another language| into French|)|(turn|put) (a text|English) into (another language|German)',
  'GET /v1/models':
    '(list|see|get|show|read) (the models|all models|which models there are|the available models)|(find out|know) which models (there are|I can use)',
  'POST /v1/images/generations':
    '(draw|generate|make|create|produce) (a picture|an image|images|pictures|a drawing)( from a text|)',
  'POST /v1/audio/transcriptions':
    '(transcribe|write down) (a file|a recording|speech|audio)|(turn|convert) (speech|audio) into text|get (a transcript|the text of a recording)',
  'POST /v1/audio/speech':
    '(make|generate|create|get) (speech|spoken text|audio from a text)|read (a text|something) aloud|(turn|convert) (a text|text) into speech',
  'POST /api/keys': '(create|make|add|generate|issue) (an API key|a key|a new key|another key)',
  'GET /api/keys': '(list|see|get|show|read) (API keys|my keys|all keys|the keys)',
  'POST /api/webhooks':
    '(create|add|register|make|set up) (a webhook|a new webhook|webhooks)|subscribe to events',
  'GET /api/webhooks': '(list|see|get|show|read) (webhooks|my webhooks|all webhooks|the webhooks)',
  'GET /v1/rate-limit':
    '(see|read|get|check|know|show) (my rate limit|my limits|the rate limit|how many requests are left)',
  'GET /v1/wallet/balance':
    '(see|read|get|check|know|show) (my balance|my credits|the balance of the wallet|how many credits are left)',
};
const REACHABLE = ENDPOINTS.filter(({ method, path }) => API_GOALS[`${method} ${path}`]);

function whichEndpoint(making: Making): Sample {
  const { method, path, access } = making.dice.pick(REACHABLE);
  const goals = `(${API_GOALS[`${method} ${path}`] ?? ''})`;
  const question = begun(making, phrase(making, WHICH.replaceAll('{g}', goals)));
  return ask(question, `\`${method} ${path}\`. It needs ${accessOf(access)}.`);
}

const MEANS =
  '(what does|what is|what means|why do I get|why do I see|what can I do about|what to do about|when does one get) (the error |the code |){c}( mean|)?|' +
  '(I get|I got|I see|I have|we get|the server says|my request failed with|it says|the answer is|there is) (the error |an error |){c}(. What now?|. Why?||. What does it mean?|!)|' +
  '(explain|help with|describe|tell me about|what about) (the error |the code |){c}|(error |error code |){c}';

function errorCode(making: Making): Sample {
  const [code, kind] = making.dice.pick(Object.entries(FAILURES));
  return ask(said(making, MEANS, { c: code }), explain(code, kind));
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

const STATUS =
  '(what does|what is|what means|why do I get|why do I see|what can I do about) (the |an |a |)(error|HTTP error|status|status code|HTTP status|HTTP code|code|HTTP) {n}( mean|)?|' +
  '(I get|I got|I see|we get|the server says|my request failed with|it says|the server answers with) (error |status |HTTP |a |an HTTP |){n}(. What now?|. Why?||. What does it mean?)|' +
  '(explain|describe|tell me about|what about) (error |status |HTTP |status code ){n}|(error|HTTP|status|HTTP error) {n}';
const STATUSES = [...new Set(Object.values(FAILURES).map(({ status }) => status))];
const NAMED = 4;

/** A number alone says little: the codes that come with it say more. */
function errorStatus(making: Making): Sample {
  const status = making.dice.pick(STATUSES);
  const codes = Object.entries(FAILURES).flatMap(([code, kind]) => (kind.status === status ? [code] : []));
  const named =
    codes.length > NAMED ? [...codes.slice(0, NAMED - 1), `${codes.length - NAMED + 1} more`] : codes;
  const list = named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : named.join('');
  const question = said(making, STATUS, { n: String(status) });
  return ask(question, `HTTP ${status} comes with ${list}. Ask me about the code in the error.`);
}

const said = (making: Making, grammar: string, places: Record<string, string>) =>
  begun(making, filled(phrase(making, grammar), places));

export const referenceSkills: readonly Skill[] = [
  { name: 'endpoint', weight: 2, make: endpoint },
  { name: 'which-endpoint', weight: 1, make: whichEndpoint },
  { name: 'error-code', weight: 1.5, make: errorCode },
  { name: 'error-status', weight: 1, make: errorStatus },
];
