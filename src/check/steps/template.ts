import { needsRunner } from '../../runtime/manifest.ts';
import { ask, chats, userSays } from '../cases/answers.ts';
import { failed, passed, type Step } from '../step.ts';

const WEATHER = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** What the rendered prompt must contain, with its description. */
const CONVERSATION = {
  'the system message': 'Answer like harbour master Quill.',
  "the user's message": 'What is the weather in Tandleby?',
  'the tool': 'get_weather',
  'the arguments of a call': 'Tandleby-on-Sea',
  'the result of a tool': 'fog until 11',
  'the last message': 'And tomorrow at noon?',
};

/** Renders a conversation with a system message, a tool, its call and its result, and looks for each part. */
export const template: Step = {
  name: 'template',
  applies: (subject) => chats(subject) && needsRunner(subject.manifest),
  async run(subject, signal) {
    const plain = await ask(subject, { ...userSays('Hello Quill.'), maxTokens: 1, showPrompt: true }, signal);
    if (!plain.prompt.includes('Hello Quill.')) {
      return failed("the chat template drops the user's message, so the model never sees the question");
    }
    const { prompt } = await ask(subject, { ...conversation(), maxTokens: 1, showPrompt: true }, signal);
    const missing = Object.entries(CONVERSATION).filter(([, text]) => !prompt.includes(text));
    if (missing.length > 0) {
      return failed(`the chat template drops ${missing.map(([what]) => what).join(', ')}`);
    }
    const { tools, thinks } = subject.runner.description.chat ?? { tools: 'generic', thinks: false };
    const format = tools === 'template' ? 'its own format' : 'a general format';
    return passed(
      `system message, calls and results are rendered; tools in ${format}${thinks ? '; it reasons' : ''}`,
      thinks ? 'reasons' : undefined,
    );
  },
};

function conversation() {
  return {
    tools: [WEATHER],
    messages: [
      { role: 'system' as const, content: CONVERSATION['the system message'] },
      { role: 'user' as const, content: CONVERSATION["the user's message"] },
      {
        role: 'assistant' as const,
        content: '',
        toolCalls: [
          {
            id: 'call_1',
            name: WEATHER.name,
            arguments: JSON.stringify({ city: CONVERSATION['the arguments of a call'] }),
          },
        ],
      },
      { role: 'tool' as const, toolCallId: 'call_1', content: CONVERSATION['the result of a tool'] },
      { role: 'assistant' as const, content: 'There is fog.' },
      { role: 'user' as const, content: CONVERSATION['the last message'] },
    ],
  };
}
