import { mkdir, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeNoiseImageModel } from '../fixtures/images/noise-model.ts';
import { writeRandomModel } from '../fixtures/random-model.ts';
import { writeScriptedModel } from '../fixtures/scripted-model.ts';
import { writeWordEmbedder } from '../fixtures/word-embedder.ts';
import { writeWordOnnxEmbedder } from '../fixtures/word-onnx.ts';
import type { Daemon, Reply } from './daemon.ts';
import type { Format, Send, World } from './format.ts';
import { mutate } from './mutate.ts';
import { mutateJson } from './mutate-json.ts';
import { mutateGguf, mutateSafetensors, SAFETENSORS_LENGTH_BYTES as LENGTH_BYTES } from './mutate-formats.ts';

export const WORDS = { words: ['one', 'two', 'three'] };
const DRAWING_NOTES = {
  files: { model: 'model.safetensors' },
  drawing: { side: 64, steps: 1, guidance: 1 },
};
/** The seeds are made from these files. */
export const ONNX_FILE = join('onnx', 'model.onnx');

export const MODELS: readonly Format[] = [
  { name: 'gguf', seeds: ggufSeeds, mutate: mutateGguf, open: openGguf },
  { name: 'onnx', seeds: () => onnxSeeds(ONNX_FILE), mutate, open: openFolder(ONNX_FILE) },
  {
    name: 'tokenizer.json',
    seeds: () => onnxSeeds('tokenizer.json'),
    mutate: mutateJson,
    open: openFolder('tokenizer.json'),
  },
  { name: 'safetensors', seeds: safetensorsSeeds, mutate: mutateSafetensors, open: openImageModel },
];

async function ggufSeeds(): Promise<Buffer[]> {
  return inFolder(async (folder) => {
    const file = (name: string) => join(folder, name);
    await writeScriptedModel(file('scripted'), { text: 'Hello.' });
    await writeRandomModel(file('random'), { architecture: 'llama', contextTokens: 256 });
    await writeWordEmbedder(file('embedder'), WORDS);
    return Promise.all(['scripted', 'random', 'embedder'].map((name) => readFile(file(name))));
  });
}

function onnxSeeds(file: string): Promise<Buffer[]> {
  return inFolder(async (folder) => {
    await writeWordOnnxEmbedder(join(folder, 'model'), WORDS);
    return [await readFile(join(folder, 'model', file))];
  });
}

/** Behind their header, weights are all alike: a seed has a few of them. */
const WEIGHT_BYTES = 64 * 1024;

async function safetensorsSeeds(): Promise<Buffer[]> {
  return [(await drawingModel()).seed];
}

/** Writes a case with the weights that its seed lacks, as a hole: zeros that take no room. */
export async function openDrawingFolder(path: string): Promise<(file: Buffer) => Promise<void>> {
  const model = join(path, 'model.safetensors');
  await mkdir(path);
  await writeFile(join(path, 'askd.json'), JSON.stringify(DRAWING_NOTES));
  const { leftOutBytes } = await drawingModel();
  return async (file) => {
    await writeFile(model, file);
    await truncate(model, file.length + leftOutBytes);
  };
}

function drawingModel(): Promise<{ seed: Buffer; leftOutBytes: number }> {
  return inFolder(async (folder) => {
    const path = join(folder, 'model.safetensors');
    await writeNoiseImageModel(path);
    await using file = await open(path);
    const [head, { size }] = [Buffer.alloc(LENGTH_BYTES), await file.stat()];
    await file.read(head);
    const seed = Buffer.alloc(LENGTH_BYTES + Number(head.readBigUInt64LE()) + WEIGHT_BYTES);
    await file.read(seed, 0, seed.length, 0);
    return { seed, leftOutBytes: size - seed.length };
  });
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'askd-seeds-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function openGguf({ daemon, folder }: World): Promise<Send> {
  const path = join(folder, 'case.gguf');
  return async (file) => {
    await writeFile(path, file);
    return tryModel(daemon, path, { isChat: true });
  };
}

function openFolder(name: string) {
  return async ({ daemon, folder }: World): Promise<Send> => {
    const path = join(folder, 'case');
    await writeWordOnnxEmbedder(path, WORDS);
    return async (file) => {
      await writeFile(join(path, name), file);
      return tryModel(daemon, path, { isChat: false });
    };
  };
}

async function openImageModel({ daemon, folder }: World): Promise<Send> {
  const path = join(folder, 'painter');
  const write = await openDrawingFolder(path);
  return async (file) => {
    await write(file);
    const imported = await daemon.call('/api/daemon/import', { path, id: 'case', mode: 'link' });
    if (imported.status >= 400) return imported;
    const reply = await daemon.call('/v1/images/generations', {
      model: 'case',
      prompt: 'a cat',
      size: '64x64',
    });
    return forget(daemon, reply);
  };
}

/** Imported, loaded by the first request, asked something, and removed. */
async function tryModel(daemon: Daemon, path: string, { isChat }: { isChat: boolean }): Promise<Reply> {
  const imported = await daemon.call('/api/daemon/import', { path, id: 'case', mode: 'link' });
  if (imported.status >= 400) return imported;
  const { tasks } = JSON.parse(imported.text) as { tasks: string[] };
  const reply =
    isChat && tasks.includes('chat')
      ? await daemon.chat('case', { type: 'text', text: 'one two' })
      : await daemon.call('/v1/embeddings', { model: 'case', input: 'one two' });
  return forget(daemon, reply);
}

async function forget(daemon: Daemon, reply: Reply): Promise<Reply> {
  await daemon.call('/api/daemon/stop', { model: 'case' });
  await daemon.call('/api/daemon/remove', { model: 'case', force: true });
  return reply;
}
