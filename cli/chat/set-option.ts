import { CHAT_IMAGES } from '../../src/config/config.ts';
import { THINK, type ChatOptions } from './options.ts';

type NumberOption = {
  min: number;
  max: number;
  isWhole?: true;
  key: 'temperature' | 'topP' | 'maxTokens' | 'seed';
};

const NUMBERS: Readonly<Record<string, NumberOption>> = {
  temperature: { key: 'temperature', min: 0, max: 2 },
  'top-p': { key: 'topP', min: 0, max: 1 },
  'max-tokens': { key: 'maxTokens', min: 1, max: 1_048_576, isWhole: true },
  seed: { key: 'seed', min: -2_147_483_648, max: 4_294_967_295, isWhole: true },
};

export const SETTABLE: readonly string[] = [
  ...Object.keys(NUMBERS),
  'stop',
  'system',
  'think',
  'format',
  'stats',
  'images',
];

/** The names in other programs, and ours. */
const ALIASES: readonly (readonly [typed: RegExp, meant: string])[] = [
  [/^parameter\s+/, ''],
  [/^num_predict\b/, 'max-tokens'],
  [/^top_p\b/, 'top-p'],
  [/^verbose$/, 'stats on'],
  [/^quiet$/, 'stats off'],
  [/^nothink$/, 'think off'],
  [/^think$/, 'think medium'],
  [/^noformat$/, 'format'],
];

const ELSEWHERE: Readonly<Record<string, string>> = {
  num_ctx: 'The context length is a setting of the daemon: askd config set model_context_tokens 16384',
  history:
    'Input history is always saved, in the file chat-history of the askd home (askd status shows where).',
  nohistory:
    'Input history is always saved, in the file chat-history of the askd home (askd status shows where).',
  wordwrap: 'Word wrap is always on in a terminal.',
  nowordwrap: 'To start without word wrap: askd chat --plain',
};

/** `/set temperature 0.2`. Returns what to print. */
export function setOption(options: ChatOptions, typed: string): string {
  const argument = ALIASES.reduce((text, [alias, meant]) => text.replace(alias, meant), typed).trim();
  const [, name = '', value = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? [];
  const number = NUMBERS[name];
  if (number) return setNumber(options, { name, value, ...number });
  if (name === 'stats') return setStats(options, value);
  if (name === 'stop') return setStop(options, value);
  if (name === 'system') return setSystem(options, value);
  if (name === 'think') return setThink(options, value);
  if (name === 'format') return setFormat(options, value);
  if (name === 'images') return setImages(options, value);
  return ELSEWHERE[name] ?? `The settings are ${SETTABLE.join(', ')}: /set temperature 0.2`;
}

type Numbered = NumberOption & { name: string; value: string };

function setNumber(options: ChatOptions, { name, value, key, min, max, isWhole }: Numbered): string {
  if (value === '') {
    delete options[key];
    return isDefault(name);
  }
  const number = Number(value);
  const isUsable = number >= min && number <= max && (!isWhole || Number.isInteger(number));
  if (!isUsable) return `${name} must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}.`;
  options[key] = number;
  return `${name} is ${number}.`;
}

const isDefault = (name: string) => `${name} is back to the default of the model.`;

function setStats(options: ChatOptions, value: string): string {
  if (value !== 'on' && value !== 'off') return 'stats must be on or off: /set stats on';
  options.stats = value === 'on';
  return `stats is ${value}.`;
}

function setStop(options: ChatOptions, value: string): string {
  if (value === '') {
    delete options.stop;
    return isDefault('stop');
  }
  options.stop = [unquoted(value)];
  return `Replies stop before ${JSON.stringify(unquoted(value))}.`;
}

export function setSystem(options: ChatOptions, value: string): string {
  if (value === '') {
    delete options.system;
    return 'The system prompt is removed.';
  }
  options.system = unquoted(value);
  return 'The system prompt is set.';
}

function setThink(options: ChatOptions, value: string): string {
  const effort = THINK.find((each) => each === value);
  if (effort === undefined && value !== '')
    return `think must be one of ${THINK.join(', ')}: /set think high`;
  if (effort === undefined) {
    delete options.think;
    return isDefault('think');
  }
  options.think = effort;
  return `think is ${effort}.`;
}

function setImages(options: ChatOptions, value: string): string {
  const mode = CHAT_IMAGES.find((each) => each === value);
  if (mode === undefined) return `images must be one of ${CHAT_IMAGES.join(', ')}: /set images off`;
  options.images = mode;
  return `images is ${mode}. To keep it: askd config set chat_images ${mode}`;
}

function setFormat(options: ChatOptions, value: string): string {
  if (value !== '' && value !== 'json') return 'format must be json or empty: /set format json';
  if (value === 'json') options.format = value;
  else delete options.format;
  return value === 'json' ? 'Replies are JSON.' : 'Replies are text.';
}

function unquoted(text: string): string {
  return /^"([\s\S]*)"$/.exec(text)?.[1] ?? text;
}
