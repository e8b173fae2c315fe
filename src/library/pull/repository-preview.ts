import { budgetFor, type Machine } from '../choose-artifact.ts';
import {
  chatTemplateOf,
  configFacts,
  onnxConfigOf,
  parseConfig,
  type ModelConfig,
} from '../formats/model-config.ts';
import { onnxTasks } from '../formats/onnx-folder.ts';
import { weightsOf, type RepositoryWeights } from '../formats/repository-format.ts';
import { templateFamily } from '../formats/template-family.ts';
import type { HubClient, HubModel } from '../hub/client.ts';
import { readSmallFile, type Unread } from '../hub/read-beginning.ts';
import type { HubAccess } from '../hub/request.ts';
import { memoryOfShape } from '../memory-needs.ts';
import { countText, memoryContextOf, type Preview, type PreviewHeader } from './preview.ts';

type Parts = { client: HubClient; access: HubAccess; machine: Machine; signal: AbortSignal };

/** Describes a repository without a GGUF file from its configuration; the weights are not read. */
export async function previewOfRepository(found: HubModel, parts: Parts): Promise<Preview> {
  const weights = weightsOf(found.files);
  const bytes = sumOf(weights);
  const known = {
    artifact: `hf:${found.repo}`,
    licence: found.licence ?? 'not stated',
    ...{ bytes, files: weights.files.length, format: weights.format },
  };
  const read = await readConfig(found, parts);
  if (typeof read === 'string') {
    return { ...known, header: null, note: read, obstacle: obstacleOf(found, { weights, tasks: [] }) };
  }
  const header = headerOf(read, { weights, bytes, machine: parts.machine });
  return { ...known, header, note: null, obstacle: obstacleOf(found, { weights, tasks: header.tasks }) };
}

type Read = { config: ModelConfig; tokenizer: ModelConfig; template: string | undefined };

/** Returns the reason if there is none. */
async function readConfig(found: HubModel, parts: Parts): Promise<Read | string> {
  const has = (name: string) => found.files.some(({ path }) => path === name);
  const name = ['config.json', 'model_index.json'].find(has);
  if (name === undefined) {
    const isAdapter = has('adapter_config.json');
    return isAdapter ? 'it is an adapter for another model' : 'it has no config.json';
  }
  const text = async (path: string) => (has(path) ? readText(found, path, parts) : '');
  const config = await text(name);
  if (typeof config !== 'string') return `its ${name} was not read: ${config.unread}`;
  const parsed = parseConfig(config);
  if (!parsed) return `its ${name} is not valid JSON`;
  const tokenizer = await text('tokenizer_config.json');
  const template = await text('chat_template.jinja');
  const tokenizerConfig = typeof tokenizer === 'string' ? (parseConfig(tokenizer) ?? {}) : {};
  const own = typeof template === 'string' && template !== '' ? template : chatTemplateOf(tokenizerConfig);
  return { config: parsed, tokenizer: tokenizerConfig, template: own };
}

/** A gated repository is refused here, as for a download. */
async function readText(
  { repo, commit }: HubModel,
  path: string,
  { client, access, signal }: Parts,
): Promise<string | Unread> {
  const entry = await client.entry(repo, path, commit, signal);
  const read = await readSmallFile(entry, { access, signal });
  return 'unread' in read ? read : read.toString('utf8');
}

const GENERATORS = /For(CausalLM|ConditionalGeneration)$/;

type Weighed = { weights: RepositoryWeights; bytes: number; machine: Machine };

function headerOf(
  { config, tokenizer, template }: Read,
  { weights, bytes, machine }: Weighed,
): PreviewHeader {
  const facts = configFacts(config, tokenizer);
  const { architecture, quantization, contextTokensMax, bytesPerParameter, shape } = facts;
  const isOnnx = weights.format === 'onnx';
  const memoryContextTokens = memoryContextOf(contextTokensMax ?? 0);
  // A repository often has one ONNX file for each precision.
  const memoryBytes = shape && !isOnnx ? memoryOfShape(bytes, shape, memoryContextTokens) : undefined;
  const count = bytesPerParameter === undefined || isOnnx ? undefined : bytes / bytesPerParameter;
  return {
    architecture: architecture ?? '',
    quantization: isOnnx ? '' : (quantization ?? ''),
    parameters: count === undefined ? undefined : countText(count),
    contextTokensMax: contextTokensMax ?? 0,
    tasks: isOnnx ? onnxTasks(onnxConfigOf(config)) : [],
    template: template !== undefined || GENERATORS.test(architecture ?? '') ? templateFamily(template) : '',
    memoryBytes,
    memoryContextTokens,
    fits: memoryBytes === undefined ? undefined : memoryBytes <= budgetFor(machine),
  };
}

/** Why askd cannot run it, and what to do instead. */
function obstacleOf(
  { repo }: HubModel,
  { weights, tasks }: { weights: RepositoryWeights; tasks: readonly string[] },
): string {
  const name = repo.slice(repo.indexOf('/') + 1);
  const has =
    weights.name === '' ? 'no weights in a format that askd knows' : `weights in ${weights.name} only`;
  const why = `${repo} has no GGUF file, the only format that askd downloads from the hub: it has ${has}.`;
  if (weights.format === 'onnx' && tasks.length > 0) {
    return `${why} Such a folder can be used once it is on this machine: askd import FOLDER`;
  }
  return `${why} Search for a build that has: askd search ${name}`;
}

function sumOf({ files }: RepositoryWeights): number {
  return files.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
}
