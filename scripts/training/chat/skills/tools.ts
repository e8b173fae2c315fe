import type { ToolDefinition } from '../../../../src/runtime/engine.ts';
import { properName, GIVEN_NAMES, WEEKDAYS } from '../names.ts';
import { wording, type Making, type Sample, type Skill } from '../sample.ts';
import { callText } from '../template.ts';

type Args = Record<string, string | number>;
type Tool = {
  definition: ToolDefinition;
  args: (making: Making) => Args;
  asks: readonly ((args: Args) => string)[];
  /** What the tool says, and what is made of it. */
  result: (making: Making, args: Args) => { result: string; answer: string };
};

const text = (description: string) => ({ type: 'string', description });
const whole = (description: string) => ({ type: 'integer', description });

function tool(name: string, description: string, properties: Record<string, object>): ToolDefinition {
  return {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  };
}

/** The last wording of each is kept for evaluation. */
const TOOLS: readonly Tool[] = [
  {
    definition: tool('get_weather', 'The weather of a city', { city: text('Name of the city') }),
    args: (making) => ({ city: properName(making) }),
    asks: [
      ({ city }) => `What is the weather in ${city}?`,
      ({ city }) => `How is the weather in ${city} today?`,
      ({ city }) => `Is it raining in ${city}?`,
      ({ city }) => `Tell me the weather in ${city}.`,
    ],
    result: ({ dice }, { city }) => {
      const [degrees, sky] = [dice.int(-9, 35), dice.pick(['sunny', 'cloudy', 'rainy', 'windy'])];
      return {
        result: JSON.stringify({ degrees, sky }),
        answer: `In ${city} it is ${sky} and ${degrees} degrees.`,
      };
    },
  },
  {
    definition: tool('get_time', 'The time in a city', { city: text('Name of the city') }),
    args: (making) => ({ city: properName(making) }),
    asks: [
      ({ city }) => `What time is it in ${city}?`,
      ({ city }) => `How late is it in ${city}?`,
      ({ city }) => `Give me the local time in ${city}.`,
    ],
    result: ({ dice }, { city }) => {
      const time = `${dice.int(10, 23)}:${dice.int(10, 59)}`;
      return { result: time, answer: `In ${city} it is ${time}.` };
    },
  },
  {
    definition: tool('send_mail', 'Send a mail', { to: text('Who gets it'), subject: text('The subject') }),
    args: (making) => ({ to: making.dice.pick(GIVEN_NAMES), subject: properName(making) }),
    asks: [
      ({ to, subject }) => `Send ${to} a mail about ${subject}.`,
      ({ to, subject }) => `Write a mail to ${to} with the subject ${subject}.`,
      ({ to, subject }) => `Please mail ${to} about ${subject}.`,
    ],
    result: (_, { to }) => ({ result: 'sent', answer: `The mail to ${to} is sent.` }),
  },
  {
    definition: tool('add', 'Add two numbers', { a: whole('The first'), b: whole('The second') }),
    args: ({ dice }) => ({ a: dice.int(100, 9999), b: dice.int(100, 9999) }),
    asks: [
      ({ a, b }) => `Use the tool to add ${a} and ${b}.`,
      ({ a, b }) => `Add ${a} and ${b} with the tool.`,
      ({ a, b }) => `With the tool, what is ${a} plus ${b}?`,
    ],
    result: (_, { a, b }) => {
      const sum = String(Number(a) + Number(b));
      return { result: sum, answer: `${a} and ${b} make ${sum}.` };
    },
  },
  {
    definition: tool('set_timer', 'Start a timer', { minutes: whole('How long') }),
    args: ({ dice }) => ({ minutes: dice.int(1, 90) }),
    asks: [
      ({ minutes }) => `Set a timer for ${minutes} minutes.`,
      ({ minutes }) => `Start a timer of ${minutes} minutes.`,
      ({ minutes }) => `Wake me in ${minutes} minutes.`,
    ],
    result: (_, { minutes }) => ({ result: 'started', answer: `The timer runs for ${minutes} minutes.` }),
  },
  {
    definition: tool('find_person', 'Look a person up', { name: text('The name') }),
    args: (making) => ({ name: `${making.dice.pick(GIVEN_NAMES)} ${properName(making)}` }),
    asks: [
      ({ name }) => `Who is ${name}?`,
      ({ name }) => `Look up ${name}.`,
      ({ name }) => `Find the person ${name}.`,
    ],
    result: (making, { name }) => {
      const city = properName(making);
      return { result: JSON.stringify({ name, city }), answer: `${name} lives in ${city}.` };
    },
  },
  {
    definition: tool('book_table', 'Book a table', {
      day: text('Day of the week'),
      people: whole('How many'),
    }),
    args: ({ dice }) => ({ day: dice.pick(WEEKDAYS), people: dice.int(2, 12) }),
    asks: [
      ({ day, people }) => `Book a table for ${people} on ${day}.`,
      ({ day, people }) => `I need a table for ${people} people on ${day}.`,
      ({ day, people }) => `On ${day} we are ${people}: book a table.`,
    ],
    result: (_, { day, people }) => ({
      result: 'booked',
      answer: `The table for ${people} on ${day} is booked.`,
    }),
  },
];

function tools(making: Making): Sample {
  const { dice } = making;
  const wanted = dice.pick(TOOLS);
  const others = dice.some(
    TOOLS.filter((each) => each !== wanted),
    dice.int(0, 2),
  );
  const args = wanted.args(making);
  const user = { role: 'user' as const, content: wording(making, wanted.asks)(args) };
  const call = callText(wanted.definition.name, args);
  const offered = dice.shuffle([wanted, ...others]).map(({ definition }) => definition);
  if (dice.chance(0.6)) return { messages: [user], tools: offered, answer: call };
  const { result, answer } = wanted.result(making, args);
  const said = [
    user,
    { role: 'assistant' as const, content: call },
    { role: 'tool' as const, content: result },
  ];
  return { messages: said, tools: offered, answer };
}

export const toolSkills: readonly Skill[] = [{ name: 'tools', weight: 2, make: tools }];
