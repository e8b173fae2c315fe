import type { ModelDefaults } from '../../runtime/manifest.ts';

type Sampling = NonNullable<ModelDefaults['sampling']>;

/** Modelfile parameters that sampling knows under another name. */
const SAMPLING: Readonly<Record<string, keyof Sampling>> = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  min_p: 'minP',
  typical_p: 'typicalP',
  repeat_penalty: 'repeatPenalty',
  repeat_last_n: 'repeatLastTokens',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  seed: 'seed',
};

/** Why the others have no effect. */
const UNMET: Readonly<Record<string, string>> = {
  num_gpu: 'askd fits layers to the graphics memory by itself',
  num_thread: 'askd measures the best number of threads',
  num_batch: 'askd chooses the batch',
  num_keep: 'a conversation that is too long is refused, not cut',
  use_mmap: 'weights are always mapped',
};

const NO_EFFECT = 'askd has no such parameter';
/** With any value, it samples from all tokens, or at random. */
const RANDOM_SEED = -1;

/** Reads the JSON of PARAMETER lines. */
export function readParameters(text: string | undefined): { defaults: ModelDefaults; unmet: string[] } {
  if (text === undefined) return { defaults: {}, unmet: [] };
  const given = JSON.parse(text) as Record<string, unknown>;
  const sampling: Sampling = {};
  const defaults: ModelDefaults = {};
  const unmet: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const known = SAMPLING[name];
    if (name === 'stop') defaults.stop = textsOf(value);
    else if (name === 'num_ctx' && isCount(value)) defaults.contextTokens = value;
    else if (name === 'num_predict' && typeof value === 'number') {
      if (value > 0) defaults.maxTokens = value;
    } else if (known !== undefined && typeof value === 'number') {
      if (known !== 'seed' || value !== RANDOM_SEED)
        sampling[known] = known === 'topK' ? Math.max(0, value) : value;
    } else unmet.push(`PARAMETER ${name}: ${UNMET[name] ?? NO_EFFECT}`);
  }
  return { defaults: { ...defaults, ...(Object.keys(sampling).length > 0 && { sampling }) }, unmet };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

function textsOf(value: unknown): string[] {
  return [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');
}
