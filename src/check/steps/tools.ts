import { ask, chats, userSays, type Answer } from '../cases/answers.ts';
import { failed, passed, weak, type Step } from '../step.ts';

const TOOL = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 40 } },
    required: ['city'],
    additionalProperties: false,
  },
};
const QUESTION = 'What is the weather in Paris? Use the tool.';

/** A required call must come and be valid; an optional one shows whether the model knows tools. */
export const tools: Step = {
  name: 'tools',
  applies: chats,
  async run(subject, signal) {
    const request = { ...userSays(QUESTION), tools: [TOOL], maxTokens: 160 };
    const required = await ask(subject, { ...request, toolChoice: 'required' }, signal);
    if (required.reason === 'length' && !isCall(required)) {
      return weak('a required call was not finished in 160 tokens', 'no tools');
    }
    if (!isCall(required)) return failed('a required tool call did not come, or its arguments are not JSON');
    const own = subject.runner.description.chat?.tools === 'template';
    const format = own ? 'in its own format' : 'in a general format';
    const chosen = await ask(subject, request, signal);
    if (isCall(chosen)) return passed(`it called a tool by itself, ${format}`, `tools ${format}`);
    return weak(
      `it calls a tool ${format} when it must, but did not by itself`,
      `tools ${format} when required`,
    );
  },
};

function isCall({ calls }: Answer): boolean {
  const [call] = calls;
  if (call?.name !== TOOL.name) return false;
  try {
    return typeof (JSON.parse(call.arguments) as { city: unknown }).city === 'string';
  } catch {
    return false;
  }
}
