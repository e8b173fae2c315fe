import OpenAI from 'openai';

const MODEL = 'svc-chat-v1';
const ATTEMPTS = 3;
const CALLS_MAX = 5;
const INSTRUCTIONS = 'You answer customers of a shop. Look an order up before you say anything about it.';
const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'find_order',
      description: 'The state of an order',
      parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    },
  },
];

/** No more answers until somebody pays: 402, or the tokens of the month are used up. */
export class OutOfBudget extends Error {}

/** Answers questions about orders. Its server and key come from OPENAI_BASE_URL and OPENAI_API_KEY. */
export function createAssistant({ orders, openai = new OpenAI() }) {
  /** `onText` gets the answer as it comes; `onRestart` says that a broken one begins anew. */
  return async function ask(question, { onText = () => {}, onRestart = () => {} } = {}) {
    const messages = [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: question },
    ];
    for (let calls = 0; calls < CALLS_MAX; calls += 1) {
      const message = await complete({ model: MODEL, messages, tools: TOOLS }, { onText, onRestart });
      if (!message.tool_calls?.length) return message.content;
      messages.push(message, ...message.tool_calls.map(resultOf));
    }
    throw new Error('The model calls tools and does not answer.');
  };

  /** The package tries again what was refused for now, such as a 429. A stream that breaks is for us. */
  async function complete(request, { onText, onRestart }) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const stream = openai.chat.completions.stream(request).on('content', onText);
        return (await stream.finalChatCompletion()).choices[0].message;
      } catch (error) {
        if (error.status === 402 || error.code === 'insufficient_quota')
          throw new OutOfBudget('No answers for now.', { cause: error });
        if (error.status !== undefined || attempt === ATTEMPTS) throw error;
        onRestart();
      }
    }
  }

  function resultOf({ id, function: { arguments: given } }) {
    const { id: order } = JSON.parse(given);
    const content = orders[order] ?? { error: `There is no order ${order}.` };
    return { role: 'tool', tool_call_id: id, content: JSON.stringify(content) };
  }
}
