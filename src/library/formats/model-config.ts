import type { GgufShape } from './gguf-header.ts';
import type { OnnxConfig } from './onnx-folder.ts';

/** The content of a repository's `config.json`. Nobody validates it, so each value is checked here. */
export type ModelConfig = Readonly<Record<string, unknown>>;

export type ConfigFacts = {
  architecture: string | undefined;
  quantization: string | undefined;
  contextTokensMax: number | undefined;
  /** The type of unquantized weights. */
  bytesPerParameter: number | undefined;
  shape: GgufShape | undefined;
};

const PRECISIONS = new Map([
  ['float64', { name: 'F64', bytes: 8 }],
  ['float32', { name: 'F32', bytes: 4 }],
  ['float16', { name: 'F16', bytes: 2 }],
  ['bfloat16', { name: 'BF16', bytes: 2 }],
]);
/** Models that read images or audio describe their text model here. */
const TEXT_MODELS = ['text_config', 'llm_config', 'language_config', 'thinker_config'];
/** A number this large stands for "no limit". */
const TOKENS_UNLIMITED = 1e9;

export function parseConfig(text: string): ModelConfig | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function configFacts(config: ModelConfig, tokenizer: ModelConfig): ConfigFacts {
  const inner = TEXT_MODELS.map((key) => asObject(config[key])).find((found) => found !== undefined);
  const numberOf = (...keys: string[]) => numberIn(config, keys) ?? numberIn(inner ?? {}, keys);
  const precision = precisionOf(config) ?? precisionOf(inner ?? {});
  const method = quantizationOf(config) ?? quantizationOf(inner ?? {});
  const positions = numberOf('max_position_embeddings', 'n_positions', 'n_ctx', 'max_seq_len', 'seq_length');
  return {
    architecture: architectureOf(config),
    quantization: method ?? precision?.name,
    contextTokensMax: positions ?? limitOf(tokenizer),
    bytesPerParameter: method === undefined ? precision?.bytes : undefined,
    shape: shapeOf(numberOf),
  };
}

/** The template in the tokenizer's configuration, which may have several, by name. */
export function chatTemplateOf(tokenizer: ModelConfig): string | undefined {
  const template = tokenizer['chat_template'];
  if (typeof template === 'string') return template;
  const named = (Array.isArray(template) ? template : []).map(asObject);
  const chosen = named.find((each) => each?.['name'] === 'default') ?? named[0];
  return typeof chosen?.['template'] === 'string' ? chosen['template'] : undefined;
}

/** Only values of the right type. */
export function onnxConfigOf(config: ModelConfig): OnnxConfig {
  const type = config['model_type'];
  const architecture = firstArchitecture(config);
  const width = numberIn(config, ['hidden_size']);
  return {
    ...(typeof type === 'string' && { model_type: type }),
    ...(typeof architecture === 'string' && { architectures: [architecture] }),
    ...(width !== undefined && { hidden_size: width }),
    id2label: { ...(asObject(config['id2label']) as Record<string, string> | undefined) },
  };
}

function architectureOf(config: ModelConfig): string | undefined {
  const names = [firstArchitecture(config), config['model_type'], config['_class_name']];
  return names.find((name) => typeof name === 'string');
}

function firstArchitecture({ architectures }: ModelConfig): unknown {
  return Array.isArray(architectures) ? (architectures as unknown[])[0] : undefined;
}

function asObject(value: unknown): ModelConfig | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as ModelConfig)
    : undefined;
}

function numberIn(config: ModelConfig, keys: readonly string[]): number | undefined {
  return keys.map((key) => config[key]).find((value) => Number.isSafeInteger(value) && Number(value) > 0) as
    number | undefined;
}

function precisionOf(config: ModelConfig) {
  const name = config['torch_dtype'] ?? config['dtype'];
  return typeof name === 'string' ? PRECISIONS.get(name) : undefined;
}

/** From the usual quantization programs; MLX names no method. */
function quantizationOf(config: ModelConfig): string | undefined {
  const found = asObject(config['quantization_config']) ?? asObject(config['quantization']);
  if (!found) return undefined;
  const method =
    typeof found['quant_method'] === 'string' ? found['quant_method'].toUpperCase() : 'quantized';
  const bits = numberIn(found, ['bits']) ?? (found['load_in_4bit'] === true ? 4 : undefined);
  return bits === undefined ? method : `${method} ${bits}-bit`;
}

function limitOf(tokenizer: ModelConfig): number | undefined {
  const tokens = numberIn(tokenizer, ['model_max_length']);
  return tokens !== undefined && tokens < TOKENS_UNLIMITED ? tokens : undefined;
}

function shapeOf(numberOf: (...keys: string[]) => number | undefined): GgufShape | undefined {
  const layers = numberOf('num_hidden_layers', 'n_layer', 'num_layers');
  const embeddingLength = numberOf('hidden_size', 'n_embd', 'd_model');
  const heads = numberOf('num_attention_heads', 'n_head');
  const vocabularyTokens = numberOf('vocab_size');
  if (!layers || !embeddingLength || !heads || !vocabularyTokens) return undefined;
  const headLength = numberOf('head_dim') ?? embeddingLength / heads;
  const cacheHeads = numberOf('num_key_value_heads', 'multi_query_group_num') ?? heads;
  return {
    cacheElementsPerToken: Math.ceil(2 * layers * cacheHeads * headLength),
    window: { tokens: 0, elementsPerToken: 0 },
    heads,
    embeddingLength,
    feedForwardLength: numberOf('intermediate_size', 'n_inner', 'ffn_dim') ?? 4 * embeddingLength,
    vocabularyTokens,
  };
}
