import { readGguf, type Metadata } from './gguf-reader.ts';
import { slidingWindowOf } from './sliding-window.ts';

export type GgufHeader = {
  architecture: string;
  name?: string;
  licence?: string;
  /** The parameter count as its authors write it: 4B. */
  sizeLabel?: string;
  /** The quantization: see `general.file_type` of the format. */
  fileType?: number;
  chatTemplate?: string;
  contextTokensMax: number;
  embeddingLength: number;
  /** Including the output layer, which the engine counts as a layer. */
  layers: number;
  shape: GgufShape;
  /** How it pools its output into one vector; generative models have none. */
  poolingType?: number;
};

/** Determines the memory of a context. */
export type GgufShape = {
  /** KV cache elements per token, over all layers. */
  cacheElementsPerToken: number;
  /** The share of layers with a sliding window, which keep only the tokens in it. */
  window: { tokens: number; elementsPerToken: number };
  heads: number;
  embeddingLength: number;
  feedForwardLength: number;
  vocabularyTokens: number;
};

/** Reads the few facts that askd needs from the header of a GGUF file; the weights are not touched. */
export function readGgufHeader(path: string): GgufHeader {
  return readGguf(path, headerOf);
}

export function headerOf(found: Metadata): GgufHeader {
  const architecture = found.get('general.architecture');
  if (typeof architecture !== 'string') throw new Error('it declares no architecture');
  if (!found.has('tokenizer.ggml.model')) throw new Error('it has no tokenizer');
  const name = found.get('general.name');
  const licence = found.get('general.license');
  const pooling = found.get(`${architecture}.pooling_type`);
  const fileType = found.get('general.file_type');
  const sizeLabel = found.get('general.size_label');
  const chatTemplate = found.get('tokenizer.chat_template');
  return {
    architecture,
    contextTokensMax: Number(found.get(`${architecture}.context_length`) ?? 0),
    embeddingLength: Number(found.get(`${architecture}.embedding_length`) ?? 0),
    layers: Number(found.get(`${architecture}.block_count`) ?? 0) + 1,
    ...(pooling !== undefined && { poolingType: Number(pooling) }),
    shape: shapeOf(architecture, found),
    ...(typeof name === 'string' && { name }),
    ...(typeof licence === 'string' && { licence }),
    ...(typeof sizeLabel === 'string' && { sizeLabel }),
    ...(fileType !== undefined && { fileType: Number(fileType) }),
    ...(typeof chatTemplate === 'string' && { chatTemplate }),
  };
}

/** A file without head counts has one key and one value of the embedding's length per layer. */
function shapeOf(architecture: string, found: Metadata): GgufShape {
  const get = (name: string) => {
    const value = found.get(`${architecture}.${name}`);
    return value === undefined ? undefined : Number(value);
  };
  const layers = get('block_count') ?? 0;
  const embeddingLength = get('embedding_length') ?? 0;
  const heads = get('attention.head_count') ?? 1;
  const headLength = embeddingLength / heads;
  const keyAndValue =
    (get('attention.key_length') ?? headLength) + (get('attention.value_length') ?? headLength);
  // Hybrid models have attention only in every n-th layer; the others keep a state of fixed size.
  const attending = layers / (get('full_attention_interval') ?? 1);
  const cacheHeads =
    get('attention.head_count_kv.sum') ?? (get('attention.head_count_kv') ?? heads) * attending;
  const window = slidingWindowOf({
    architecture,
    layers,
    windowTokens: get('attention.sliding_window'),
    period: get('attention.sliding_window_pattern'),
    windowedLayers: get('attention.sliding_window_pattern.sum'),
  });
  const elements = Math.ceil(cacheHeads * keyAndValue);
  const windowed = window ? Math.floor((elements * window.layers) / layers) : 0;
  return {
    cacheElementsPerToken: elements,
    window: { tokens: window?.tokens ?? 0, elementsPerToken: windowed },
    heads,
    embeddingLength,
    feedForwardLength: get('feed_forward_length') ?? 4 * embeddingLength,
    vocabularyTokens: Number(found.get('tokenizer.ggml.tokens.length') ?? 0),
  };
}
