import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/errors.ts';
import type { ModelManifest, ModerationRules, Task } from '../../runtime/manifest.ts';
import { findVoices } from '../voices.ts';
import { findRuleProblem, rulesForLabels } from './moderation-rules.ts';

export type OnnxConfig = {
  model_type?: string;
  architectures?: readonly string[];
  hidden_size?: number;
  id2label?: Record<string, string>;
};

type Config = OnnxConfig & {
  max_position_embeddings?: number;
  matryoshka_dimensions?: number[];
  _name_or_path?: string;
};

/** A manifest beside a model whose own files do not say enough. */
type Notes = { licence?: string; moderation?: ModerationRules };
const NOTES = 'askd.json';

/** Positions that models of this family never use. */
const RESERVED_POSITIONS: Record<string, number> = { roberta: 2, 'xlm-roberta': 2, camembert: 2, mpnet: 2 };
/** Tokenizers write an absurdly large number for "no limit". */
const TOKENS_UNLIMITED = 1e9;

/** Reads the task of a folder of ONNX files from its configuration. */
export function readOnnxFolder(path: string): Omit<ModelManifest, 'id' | 'path' | 'services' | 'tier'> {
  const readJson = <Content>(name: string): Content | undefined => {
    const file = join(path, name);
    if (!existsSync(file)) return undefined;
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Content;
    } catch (cause) {
      throw invalid(path, `${name} is not valid JSON`, cause);
    }
  };
  const config = readJson<Config>('config.json');
  if (!config) throw invalid(path, 'it has no config.json');
  if (!existsSync(join(path, 'onnx'))) throw invalid(path, 'it has no folder "onnx" with the weights');
  const notes = readJson<Notes>(NOTES) ?? {};
  const { model_max_length: tokensMax = TOKENS_UNLIMITED } =
    readJson<{ model_max_length?: number }>('tokenizer_config.json') ?? {};
  return {
    name: config._name_or_path ?? config.model_type ?? 'ONNX model',
    engine: 'onnx',
    ...abilitiesOf(path, config, notes),
    licence: notes.licence ?? 'unknown',
    bytes: sizeOf(path),
    contextTokensMax: Math.min(tokensMax, positionsOf(config)),
  };
}

/** What askd can do with such a folder, as far as its configuration tells; nothing if no engine runs it. */
export function onnxTasks({
  model_type: type,
  architectures,
  hidden_size,
  id2label = {},
}: OnnxConfig): Task[] {
  const [architecture = ''] = architectures ?? [];
  const own = OWN_TASKS.get(type ?? '');
  if (own) return [own];
  if (/ForSequenceClassification$/.test(architecture))
    return [Object.keys(id2label).length <= 1 ? 'rerank' : 'moderate'];
  return hidden_size === undefined || !isPlainEncoder(architecture) ? [] : ['embed', 'rerank'];
}

const OWN_TASKS = new Map<string, Task>([
  ['m2m_100', 'translate'],
  ['whisper', 'transcribe'],
  ['style_text_to_speech_2', 'speak'],
]);

function abilitiesOf(
  path: string,
  config: Config,
  { moderation }: Notes,
): Pick<ModelManifest, 'tasks' | 'embedding' | 'moderation' | 'speech'> {
  const tasks = onnxTasks(config);
  const [task] = tasks;
  if (task === undefined) {
    throw invalid(path, `askd does not support ${config.architectures?.[0] ?? config.model_type} in ONNX`);
  }
  if (task === 'transcribe') {
    requireFiles(
      path,
      ['encoder_model', 'decoder_model_merged'],
      ['tokenizer.json', 'preprocessor_config.json'],
    );
  }
  if (task === 'speak') {
    requireFiles(path, ['model'], ['tokenizer.json']);
    return { tasks, speech: { voices: findVoices(path) } };
  }
  if (task === 'moderate') return classifierOf(path, config, moderation);
  if (task !== 'embed') return { tasks };
  const truncatable = (config.matryoshka_dimensions ?? []).length > 0;
  return { tasks, embedding: { dimensions: config.hidden_size ?? 0, truncatable } };
}

/**
 * Checks for the files that the engine will need, before anyone waits for a load. Weights may end with their
 * precision.
 */
function requireFiles(path: string, weights: readonly string[], others: readonly string[]): void {
  const there = readdirSync(join(path, 'onnx'));
  const lacking = weights.find(
    (name) => !there.some((file) => new RegExp(`^${name}(_[a-z0-9]+)?\\.onnx$`).test(file)),
  );
  if (lacking !== undefined) throw invalid(path, `it has no onnx/${lacking}.onnx in any precision`);
  const missing = others.find((name) => !existsSync(join(path, name)));
  if (missing !== undefined) throw invalid(path, `it has no ${missing}`);
}

function isPlainEncoder(architecture: string): boolean {
  return architecture === '' || /(Model|ForMaskedLM)$/.test(architecture);
}

function classifierOf(
  path: string,
  { id2label = {} }: Config,
  moderation: ModerationRules | undefined,
): Pick<ModelManifest, 'tasks' | 'moderation'> {
  const labels = Object.values(id2label);
  const rules = moderation ?? rulesForLabels(labels);
  const problem = rules
    ? findRuleProblem(rules, labels)
    : 'it has no rules that map its labels to categories';
  if (rules && problem === undefined) return { tasks: ['moderate'], moderation: rules };
  throw invalid(
    path,
    `${problem}. Its labels are ${labels.join(', ')}. Write the rules to ${join(path, NOTES)}, for example ` +
      `{"moderation":{"labels":{"hate":{"greatestOf":["${labels[0]}"]},"sexual/minors":{"greatestOf":[]}, …}}}`,
  );
}

function positionsOf({ model_type: type = '', max_position_embeddings: positions }: Config): number {
  return positions === undefined ? TOKENS_UNLIMITED : positions - (RESERVED_POSITIONS[type] ?? 0);
}

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    return entry.isFile() ? sum + statSync(join(entry.parentPath, entry.name)).size : sum;
  }, 0);
}

function invalid(path: string, reason: string, cause?: unknown): Failure {
  return new Failure('invalid_model_file', `${path} is not a usable folder of an ONNX model: ${reason}.`, {
    param: 'path',
    cause,
  });
}
