import type { Making, Message, Sample, Skill } from '../sample.ts';

const SYSTEM = [
  'You are a helpful assistant.',
  'You are a helpful AI assistant.',
  'You are an assistant. Answer briefly.',
  'Be short.',
  'You are a friendly assistant who answers questions.',
  'Answer in one sentence.',
  'You are askd, a local assistant.',
];

/** Conversations: neither what was said before nor the system prompt's general words change what is asked now. */
export function turnsOf(skills: readonly Skill[], name: string, weight: number, turnsMax = 3): Skill {
  const total = skills.reduce((sum, { weight }) => sum + weight, 0);
  const one = (making: Making): Sample => {
    let left = making.dice.random() * total;
    const skill = skills.find(({ weight }) => (left -= weight) <= 0) ?? skills[0];
    if (!skill) throw new Error('There is nothing to talk about');
    return skill.make(making);
  };

  function make(making: Making): Sample {
    const { dice } = making;
    const system: Message[] = dice.chance(0.4) ? [{ role: 'system', content: dice.pick(SYSTEM) }] : [];
    const before = dice
      .list(dice.int(system.length > 0 ? 0 : 1, turnsMax), () => one(making))
      .flatMap(({ messages, answer }): Message[] => [...messages, { role: 'assistant', content: answer }]);
    const last = one(making);
    return { ...last, messages: [...system, ...before, ...last.messages] };
  }

  return { name, weight, make };
}
