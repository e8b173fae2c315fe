import type { ChatOptions } from './options.ts';

type Option = {
  min: number;
  max: number;
  isWhole?: true;
  key: 'temperature' | 'topP' | 'maxTokens' | 'seed';
};

const OPTIONS: Readonly<Record<string, Option>> = {
  temperature: { key: 'temperature', min: 0, max: 2 },
  'top-p': { key: 'topP', min: 0, max: 1 },
  'max-tokens': { key: 'maxTokens', min: 1, max: 1_048_576, isWhole: true },
  seed: { key: 'seed', min: -2_147_483_648, max: 4_294_967_295, isWhole: true },
};

export const SETTABLE: readonly string[] = [...Object.keys(OPTIONS), 'stats'];

/** `/set temperature 0.2`. The answer says what became of it. */
export function setOption(options: ChatOptions, argument: string): string {
  const [name = '', value = ''] = argument.split(/\s+/);
  if (name === 'stats') return setStats(options, value);
  const option = OPTIONS[name];
  if (option === undefined) return `There is ${SETTABLE.join(', ')}: /set temperature 0.2`;
  const { key, min, max, isWhole } = option;
  if (value === '') {
    delete options[key];
    return `${name} is the default of the model again.`;
  }
  const number = Number(value);
  const isUsable = number >= min && number <= max && (!isWhole || Number.isInteger(number));
  if (!isUsable) return `${name} is a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}.`;
  options[key] = number;
  return `${name} is ${number}.`;
}

function setStats(options: ChatOptions, value: string): string {
  if (value !== 'on' && value !== 'off') return 'stats is on or off: /set stats on';
  options.stats = value === 'on';
  return `stats is ${value}.`;
}
