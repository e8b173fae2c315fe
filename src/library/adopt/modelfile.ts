import type { ModelDefaults } from '../../runtime/manifest.ts';
import { readGgufHeader } from '../formats/gguf-header.ts';
import { licenceName } from './licence-name.ts';
import type { Candidate } from './candidate.ts';
import { readParameters } from './parameters.ts';

/** The parts of a Modelfile as Ollama stores them: one blob each. */
export type Parts = {
  weights: string;
  system: string | undefined;
  template: string | undefined;
  /** JSON. */
  params: string | undefined;
  /** JSON. */
  messages: string | undefined;
  licences: readonly string[];
  /** Paths. */
  adapters: readonly string[];
};

type Read = Pick<Candidate, 'defaults' | 'unmet' | 'licence' | 'adapters'>;

/** What applies here from a Modelfile, and what does not. */
export function readModelfile({ system, template, params, messages, ...rest }: Parts): Read {
  const parameters = readParameters(params);
  const turns = readTurns(messages);
  const text = system?.trim() ?? '';
  const defaults: ModelDefaults = {
    ...parameters.defaults,
    ...(text !== '' && { system: text }),
    ...(turns.length > 0 && { messages: turns }),
  };
  const templates = template === undefined ? [] : [aboutTemplate(rest.weights)];
  return {
    ...(Object.keys(defaults).length > 0 && { defaults }),
    unmet: [...templates, ...parameters.unmet],
    ...(rest.licences.length > 0 && { licence: licenceName(rest.licences) }),
    ...(rest.adapters.length > 0 && {
      adapters: rest.adapters.map((path, index) => ({ name: `adapter-${index + 1}`, path, scale: 1 })),
    }),
  };
}

/** Ollama's templates are Go programs. The weights contain the one that the model was trained with. */
function aboutTemplate(weights: string): string {
  return hasTemplate(weights)
    ? 'TEMPLATE: the chat template in the weights is used instead'
    : 'TEMPLATE: Go templates cannot be run, and the weights have none: the general one is used';
}

function hasTemplate(path: string): boolean {
  try {
    return readGgufHeader(path).chatTemplate !== undefined;
  } catch {
    return false;
  }
}

type Turns = NonNullable<ModelDefaults['messages']>;

function readTurns(text: string | undefined): Turns {
  if (text === undefined) return [];
  const turns = JSON.parse(text) as unknown;
  if (!Array.isArray(turns)) throw new Error('its messages are not a list');
  return turns.filter(isTurn).map(({ role, content }) => ({ role, content }));
}

function isTurn(turn: unknown): turn is Turns[number] {
  const { role, content } = (turn ?? {}) as Partial<Turns[number]>;
  return ['system', 'user', 'assistant'].includes(String(role)) && typeof content === 'string';
}
