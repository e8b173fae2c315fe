import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  writeRecurrentModel,
  type RecurrentModelOptions,
} from '../../../scripts/fixtures/recurrent-model.ts';
import {
  writeArchitectureModel,
  type ArchitectureModelOptions,
} from '../../../scripts/fixtures/architectures/architecture-model.ts';
import { writeRandomModel, type RandomModelOptions } from '../../../scripts/fixtures/random-model.ts';
import { writeProjector } from '../../../scripts/fixtures/images/projector.ts';
import { scriptPieces } from '../../../scripts/fixtures/scripted-pieces.ts';
import { writeScriptedModel, type ScriptedModelOptions } from '../../../scripts/fixtures/scripted-model.ts';
import { writeVocabularyModel } from '../../../scripts/fixtures/vocabulary-model.ts';
import type { Architecture } from '../../../src/gguf/transformer.ts';
import { bundledTemplates, bundledVocabulary } from '../../../scripts/fixtures/llama-files.ts';

const SOURCES = new URL('../../../scripts/fixtures/', import.meta.url);
const FOLDER = path.join(tmpdir(), 'askd-fixtures');

type ScriptOptions = Omit<ScriptedModelOptions, 'text' | 'endless'>;

/** A model that answers every prompt with this text and then ends its turn. */
export async function scriptedModel(text: string, options: ScriptOptions = {}) {
  const wanted: ScriptedModelOptions = { ...options, text };
  const file = await makeOnce('scripted', wanted, (target) => writeScriptedModel(target, wanted));
  const pieces = scriptPieces(text);
  return { path: file, text, pieces, completionTokens: pieces.length };
}

/** A model that repeats a short text until it reaches its limit. */
export async function endlessModel(options: ScriptOptions = {}) {
  const wanted: ScriptedModelOptions = { ...options, text: 'and so on, ', endless: true };
  const file = await makeOnce('endless', wanted, (target) => writeScriptedModel(target, wanted));
  return { path: file, text: wanted.text, pieces: scriptPieces(wanted.text) };
}

/** A tiny model with the real structure and random weights. */
export async function randomModel(
  architecture: Architecture,
  options: Omit<RandomModelOptions, 'architecture'> = {},
) {
  const wanted = { ...options, architecture };
  const file = await makeOnce('random', wanted, (target) => writeRandomModel(target, wanted));
  return { path: file };
}

/** A tiny model with a recurrent state instead of a KV cache. */
export async function recurrentModel(options: RecurrentModelOptions = {}) {
  const file = await makeOnce('recurrent', options, (target) => writeRecurrentModel(target, options));
  return { path: file };
}

/** A tiny model of any architecture for which the fixtures list the tensors. */
export async function architectureModel(architecture: string, options: ArchitectureModelOptions = {}) {
  const file = await makeOnce('architecture', { ...options, architecture }, (target) =>
    writeArchitectureModel(target, architecture, options),
  );
  return { path: file };
}

/** The vocabulary and, if named, the chat template of a real model, with tiny random weights. */
export async function vocabularyModel(vocabulary: string, template?: string) {
  const chatTemplate = template === undefined ? undefined : bundledTemplates().get(template);
  if (template !== undefined && chatTemplate === undefined)
    throw new Error(`There is no template ${template}`);
  const options = {
    vocabulary: bundledVocabulary(vocabulary),
    ...(chatTemplate !== undefined && { chatTemplate }),
  };
  const file = await makeOnce('vocabulary', options, (target) => writeVocabularyModel(target, options));
  return { path: file };
}

/** A file is named after what determines its bytes, so that test runs and their workers can share it. */
export async function makeOnce(
  kind: string,
  options: object,
  write: (file: string) => Promise<unknown>,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([kind, options]));
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  for (const source of sources.filter((name) => name.endsWith('.ts')).sort()) {
    hash.update(readFileSync(new URL(source, SOURCES)));
  }
  const file = path.join(FOLDER, `${kind}-${hash.digest('hex').slice(0, 16)}.gguf`);
  if (existsSync(file)) return file;
  mkdirSync(FOLDER, { recursive: true });
  await write(file);
  return file;
}

/** A tiny model whose weights are random, with a projector: its answer differs for every image. */
export async function visionModel(options: { contextTokens?: number; seed?: number } = {}) {
  const { path: model } = await randomModel('qwen2', options);
  const projector = await makeOnce('projector', { modelWidth: 32 }, (target) =>
    writeProjector(target, { modelWidth: 32 }),
  );
  return { path: model, projector };
}
