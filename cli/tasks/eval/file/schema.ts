import { ChatCompletionRequest, ChatMessage } from '../../../../src/api/chat/chat.ts';
import { ResponseFormat, Tool } from '../../../../src/api/chat/tools.ts';

export const SAMPLES_MAX = 1_000;

/** Parameters that a case sets differently, or that a run sets itself. */
const OWN_FIELDS = ['model', 'messages', 'stream', 'stream_options', 'n', 'tools', 'response_format'];

const text = (description: string) => ({ type: 'string', minLength: 1, description });
const scalar = (description: string) => ({ type: ['string', 'number', 'boolean'], description });
const list = (items: object, description: string) => ({ type: 'array', items, minItems: 1, description });
const oneOrMany = (description: string) => ({
  type: ['string', 'number', 'boolean', 'array'],
  items: { type: ['string', 'number', 'boolean'] },
  minItems: 1,
  description,
});
const share = { type: 'number', minimum: 0, maximum: 1 };
const fields = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const options = {
  ...fields(
    Object.fromEntries(
      Object.entries(ChatCompletionRequest.properties).filter(([name]) => !OWN_FIELDS.includes(name)),
    ),
  ),
  description: 'Parameters of chat completions, such as temperature and max_tokens.',
};

const shared = {
  system: text('The system message.'),
  options,
  tools: list(Tool, 'Tools that the model may call, as chat completions take them.'),
  response_format: ResponseFormat,
  samples: {
    type: 'integer',
    minimum: 1,
    maximum: SAMPLES_MAX,
    description: 'How many answers to ask for; 1 by default.',
  },
  variables: { type: 'object', description: 'What {{name}} stands for.' },
};

const check = {
  ...fields({
    exact: oneOrMany('The whole answer, or one of several. White space around it is ignored.'),
    contains: oneOrMany('A text in the answer, or several that are all in it.'),
    not_contains: oneOrMany('A text that is not in the answer, or several.'),
    regex: text('A regular expression of JavaScript that matches somewhere in the answer.'),
    ignore_case: { type: 'boolean', description: 'With exact, contains, not_contains and regex.' },
    json_schema: { type: ['object', 'boolean'], description: 'The answer is JSON of this schema.' },
    tool_call: {
      ...fields({ name: text('Of the tool.'), arguments: { type: 'object' } }, ['name']),
      description: 'The tool is called with at least these arguments.',
    },
    similar: {
      ...fields({ to: oneOrMany('A text, or several of which the nearest counts.'), at_least: share }, [
        'to',
      ]),
      description: 'The answer means about the same, by an embedding model; at_least is 0.8 by default.',
    },
    judge: {
      ...fields({ rubric: text('What a good answer is.'), model: text('Who judges.'), at_least: share }, [
        'rubric',
      ]),
      description: 'A model gives the answer a score from 0 to 1; at_least is 0.7 by default.',
    },
  }),
  minProperties: 1,
};

const evalCase = fields(
  {
    name: scalar('Unique in the file; by default the prompt.'),
    prompt: scalar('The message of the user.'),
    messages: list(ChatMessage, 'The conversation, instead of a prompt.'),
    images: list(text('A path, relative to this file.'), 'Images that go with the last message.'),
    files: list(text('A path, relative to this file.'), 'PDF or text files that go with the last message.'),
    ...shared,
    with: list({ type: 'object' }, 'A table: the case is asked once for each row of variables.'),
    expect: list(check, 'Checks that an answer has to pass, all of them.'),
  },
  ['expect'],
);

/** The schema of a file of cases, also for editors: askd eval --schema. */
export const FILE_SCHEMA = {
  title: 'Cases for askd eval',
  ...fields(
    {
      models: list(text('A model.'), 'Asked where the command names none.'),
      judge: text('The model that judges where a check names none.'),
      embed: text('The embedding model of similar.'),
      ...shared,
      cases: list(evalCase, 'The cases.'),
    },
    ['cases'],
  ),
};
