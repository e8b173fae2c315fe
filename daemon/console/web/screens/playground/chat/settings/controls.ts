/** A number in the request, with what a person should know before changing it. */
export type NumberControl = {
  name: string;
  label: string;
  hint: string;
  min: number;
  max?: number;
  step: number;
};

export const MAIN_NUMBERS = [
  {
    name: 'temperature',
    label: 'Temperature',
    hint: '0 always takes the likeliest token; higher is more varied. 1 by default.',
    min: 0,
    max: 2,
    step: 0.1,
  },
  {
    name: 'top_p',
    label: 'Top p',
    hint: 'Only the likeliest tokens that add up to this probability.',
    min: 0,
    max: 1,
    step: 0.05,
  },
  {
    name: 'max_tokens',
    label: 'Tokens at most',
    hint: 'The answer ends there. Reasoning counts.',
    min: 1,
    step: 1,
  },
  {
    name: 'seed',
    label: 'Seed',
    hint: 'The same seed and request give the same answer.',
    min: 0,
    step: 1,
  },
] as const satisfies readonly NumberControl[];

export const SAMPLING_NUMBERS = [
  {
    name: 'top_k',
    label: 'Top k',
    hint: 'Only this many of the likeliest tokens. 40 by default, 0 for all.',
    min: -1,
    step: 1,
  },
  {
    name: 'min_p',
    label: 'Min p',
    hint: 'Leaves out tokens below this share of the likeliest one’s probability.',
    min: 0,
    max: 1,
    step: 0.01,
  },
  {
    name: 'typical_p',
    label: 'Typical p',
    hint: 'Locally typical sampling; 1 turns it off.',
    min: 0.001,
    max: 1,
    step: 0.01,
  },
  {
    name: 'presence_penalty',
    label: 'Presence penalty',
    hint: 'Above 0, tokens that occurred are less likely.',
    min: -2,
    max: 2,
    step: 0.1,
  },
  {
    name: 'frequency_penalty',
    label: 'Frequency penalty',
    hint: 'The same, by how often they occurred.',
    min: -2,
    max: 2,
    step: 0.1,
  },
  {
    name: 'repeat_penalty',
    label: 'Repeat penalty',
    hint: 'Divides the score of tokens that occurred; 1 turns it off.',
    min: 0.01,
    max: 10,
    step: 0.05,
  },
  {
    name: 'repeat_last_n',
    label: 'Penalty window',
    hint: 'How many of the last tokens the penalties look at; -1 for all.',
    min: -1,
    step: 1,
  },
] as const satisfies readonly NumberControl[];

export const CHOICES: NumberControl = {
  name: 'n',
  label: 'Answers',
  hint: 'Several answers to the same messages; you choose which one to continue.',
  min: 1,
  max: 4,
  step: 1,
};

export const REASONING_TOKENS: NumberControl = {
  name: 'reasoning_tokens',
  label: 'Reasoning tokens at most',
  hint: 'Then the model must begin its answer.',
  min: 1,
  step: 1,
};

/** The typed numbers as a request carries them; an empty field leaves the default. */
export function toNumbers(
  controls: readonly NumberControl[],
  typed: Readonly<Record<string, string>>,
): Record<string, number> {
  const given = controls.filter(({ name }) => (typed[name] ?? '') !== '');
  return Object.fromEntries(given.map(({ name }) => [name, Number(typed[name])]));
}

/** What is wrong with a number, in words; empty if nothing is. */
export function problemOf({ min, max, step }: NumberControl, typed: string): string {
  if (typed === '') return '';
  const value = Number(typed);
  if (Number.isInteger(step) && !Number.isInteger(value)) return 'A whole number.';
  if (!Number.isFinite(value)) return 'A number.';
  if (value >= min && (max === undefined || value <= max)) return '';
  return max === undefined ? `At least ${min}.` : `From ${min} to ${max}.`;
}
