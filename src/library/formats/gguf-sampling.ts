import type { Sampling } from '../../config/sampling.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import { readGguf, type Metadata } from './gguf-reader.ts';

type Rule = readonly [key: string, name: keyof Sampling, isValid: (value: number) => boolean];

const RULES: readonly Rule[] = [
  ['temp', 'temperature', (value) => value >= 0 && value <= 2],
  ['top_p', 'topP', (value) => value > 0 && value <= 1],
  ['top_k', 'topK', Number.isInteger],
  ['min_p', 'minP', (value) => value >= 0 && value <= 1],
  ['penalty_repeat', 'repeatPenalty', (value) => value > 0 && value <= 2],
  ['penalty_last_n', 'repeatLastTokens', (value) => Number.isInteger(value) && value >= -1],
];

const CHAT_ENGINES: readonly string[] = ['llama', 'vision'];

/** Adds the sampling that a model's authors wrote into its file; values already in the manifest take precedence. */
export function withSamplingOfFile(manifest: ModelManifest): ModelManifest {
  if (!CHAT_ENGINES.includes(manifest.engine)) return manifest;
  const sampling = { ...readSampling(manifest.path), ...manifest.defaults?.sampling };
  if (Object.keys(sampling).length === 0) return manifest;
  return { ...manifest, defaults: { ...manifest.defaults, sampling } };
}

function readSampling(path: string): Partial<Sampling> {
  try {
    return readGguf(path, samplingOf);
  } catch {
    // The load will report what is wrong with it.
    return {};
  }
}

/** The `general.sampling.*` keys that askd supports. A value that no request could have is ignored. */
function samplingOf(found: Metadata): Partial<Sampling> {
  const values = RULES.map(([key, name, isValid]) => {
    const value = found.get(`general.sampling.${key}`);
    // Single precision in the file: 0.6 is read as 0.6000000238.
    const number = typeof value === 'number' ? Number(value.toPrecision(6)) : Number.NaN;
    if (!isValid(number)) return [name, undefined] as const;
    return [name, name === 'topK' ? Math.max(0, number) : number] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
