import { ask, chats, userSays } from '../cases/answers.ts';
import { failed, passed, weak, type Step } from '../step.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 40 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    colours: { type: 'array', items: { enum: ['red', 'green', 'blue'] }, minItems: 1, maxItems: 3 },
  },
  required: ['name', 'age', 'colours'],
  additionalProperties: false,
};

type Person = { name: unknown; age: unknown; colours: unknown };

export const schema: Step = {
  name: 'schema',
  applies: chats,
  async run(subject, signal) {
    const question = 'Ada Lark is 36 years old and likes red and blue. Give this as JSON.';
    const format = { type: 'schema' as const, schema: SCHEMA };
    const { text, reason } = await ask(subject, { ...userSays(question), format, maxTokens: 160 }, signal);
    if (reason === 'length') return weak('it did not finish a small JSON document in 160 tokens');
    if (!isPerson(text)) return failed(`a schema is not kept: ${JSON.stringify(text.slice(0, 120))}`);
    return passed('an answer kept its JSON schema');
  },
};

function isPerson(text: string): boolean {
  try {
    const { name, age, colours } = JSON.parse(text) as Person;
    const areColours =
      Array.isArray(colours) && colours.every((each) => /^(red|green|blue)$/.test(String(each)));
    return typeof name === 'string' && Number.isInteger(age) && areColours && colours.length > 0;
  } catch {
    return false;
  }
}
