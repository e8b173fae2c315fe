import type { ModelDefaults } from '../../src/runtime/manifest.ts';

const SHOWN_LENGTH_MAX = 80;

/** The defaults of a model for people, one per line. */
export function defaultsText(defaults: ModelDefaults = {}): string[] {
  const { system, messages = [], sampling = {}, stop = [], maxTokens, contextTokens } = defaults;
  return [
    ...(system === undefined ? [] : [`system prompt: ${shorten(system)}`]),
    ...(messages.length === 0 ? [] : [`${messages.length} messages before every conversation`]),
    ...Object.entries(sampling).map(([name, value]) => `${snakeCase(name)} ${value}`),
    ...(stop.length === 0 ? [] : [`stop ${stop.map((text) => JSON.stringify(text)).join(', ')}`]),
    ...(maxTokens === undefined ? [] : [`max_tokens ${maxTokens}`]),
    ...(contextTokens === undefined ? [] : [`context ${contextTokens} tokens`]),
  ];
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > SHOWN_LENGTH_MAX ? `${line.slice(0, SHOWN_LENGTH_MAX - 1)}…` : line;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
