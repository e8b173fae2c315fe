import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import type { LoadOptions } from '../../../../src/runtime/engine.ts';
import type { AppliedAdapter } from '../../../../src/runtime/manifest.ts';
import type { Generation } from '../generation/generation.ts';
import type { SavedPrompt } from './prefix-copy.ts';
import type { PromptBuilder } from '../generation/prompt.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';

export type SavedPromptOptions = {
  model: LlamaModel;
  path: string;
  adapters: readonly AppliedAdapter[];
  pinned: NonNullable<LoadOptions['pinnedPrompts']>;
  /** Everything that decides the layout of a context. */
  context: Pick<LoadOptions, 'contextTokens' | 'cacheType' | 'flashAttention'>;
  buildPrompt: PromptBuilder;
};

type Entry = { file: string; tokens: readonly Token[]; isSaved: boolean };

const SAMPLE_BYTES = 1024 * 1024;
/** After this, files of unused models and prompts are deleted. */
const UNUSED_MS_MAX = 30 * 24 * 3_600_000;
/** Another process may still be writing it. */
const UNFINISHED_MS_MAX = 3_600_000;

/**
 * The pinned system prompts of exactly this model and context, since the state of another one could crash llama.cpp.
 */
export async function openSavedPrompts(options: SavedPromptOptions) {
  const { pinned, buildPrompt, context } = options;
  await mkdir(pinned.folder, { recursive: true, mode: 0o700 });
  await removeUnused(pinned.folder);
  const key = await identify(options);
  const entries: Entry[] = [];
  for (const text of pinned.texts) {
    const tokens = prefixOf(text, buildPrompt);
    const hash = createHash('sha256').update(key).update(JSON.stringify(tokens)).digest('hex');
    const file = join(pinned.folder, `${hash.slice(0, 32)}.state`);
    if (tokens.length > 0 && tokens.length < context.contextTokens)
      entries.push({ file, tokens, isSaved: await exists(file) });
  }

  return {
    find(prompt: readonly Token[]): SavedPrompt | undefined {
      const fitting = entries.filter(({ isSaved, tokens }) => isSaved && beginsWith(prompt, tokens));
      const [longest] = fitting.toSorted((a, b) => b.tokens.length - a.tokens.length);
      return longest && { tokens: longest.tokens.length, load: (sequence) => load(longest, sequence) };
    },
    /** Prefills and saves what is missing, alongside the requests. */
    async save(scheduler: Scheduler, signal: AbortSignal): Promise<void> {
      for (const entry of entries.filter(({ isSaved }) => !isSaved)) await saveOne(entry, scheduler, signal);
    },
  };
}

async function load(entry: Entry, sequence: LlamaContextSequence): Promise<void> {
  try {
    // Drops the checkpoints of what it held.
    await sequence.clearHistory();
    await sequence.loadStateFromFile(entry.file, { acceptRisk: true });
    if (!beginsWith(sequence.contextTokens, entry.tokens)) throw new Error('It contains other tokens');
    const now = new Date();
    await utimes(entry.file, now, now);
  } catch (error) {
    entry.isSaved = false;
    console.error(`A saved system prompt is unusable and was deleted: ${entry.file}`, error);
    await rm(entry.file, { force: true });
    await sequence.clearHistory();
  }
}

function saveOne(entry: Entry, scheduler: Scheduler, signal: AbortSignal): Promise<void> {
  return scheduler.run({
    prompt: entry.tokens,
    signal,
    begin: (sequence, cachedTokens) => createSaving(entry, sequence, cachedTokens),
    end: () => {},
    fail: (error) => console.error(`A system prompt was not saved: ${entry.file}`, error),
  });
}

/** Prefills the prompt and saves the sequence's state. Nothing is generated. */
function createSaving(entry: Entry, sequence: LlamaContextSequence, cachedTokens: number): Generation {
  let unprefilled = entry.tokens.slice(cachedTokens);
  const unfinished = `${entry.file}.${process.pid}.part`;
  return {
    promptTokensLeft: () => unprefilled.length,
    completionTokens: () => 0,
    async advance(promptTokensMax) {
      const piece = unprefilled.slice(0, Math.max(1, promptTokensMax));
      unprefilled = unprefilled.slice(piece.length);
      await sequence.evaluateWithoutGeneratingNewTokens(piece);
      if (unprefilled.length > 0) return undefined;
      await sequence.saveStateToFile(unfinished);
      await rename(unfinished, entry.file);
      entry.isSaved = true;
      return 'stop';
    },
    close: () => {},
  };
}

/** What every conversation with this system prompt starts with, whatever the user says. */
function prefixOf(text: string, buildPrompt: PromptBuilder): Token[] {
  const [one = [], other = []] = ['a', 'b'].map(
    (content) =>
      buildPrompt({
        messages: [
          { role: 'system', content: text },
          { role: 'user', content },
        ],
      }).tokens,
  );
  const length = one.findIndex((token, index) => token !== other[index]);
  return one.slice(0, Math.max(0, length));
}

function beginsWith(tokens: readonly Token[], prefix: readonly Token[]): boolean {
  return tokens.length >= prefix.length && prefix.every((token, index) => token === tokens[index]);
}

/** Files are identified by size, time, and their first and last bytes; the engine by version and device. */
async function identify({ model, path, adapters, context }: SavedPromptOptions): Promise<string> {
  const files = [await identifyFile(path)];
  for (const adapter of adapters) files.push([await identifyFile(adapter.path), adapter.scale].join(' '));
  const { llamaCppRelease, gpu } = model.llama;
  const engine = { ...llamaCppRelease, gpu, gpuLayers: model.gpuLayers };
  return createHash('sha256').update(JSON.stringify({ files, engine, context })).digest('hex');
}

async function identifyFile(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  const hash = createHash('sha256');
  await using file = await open(path);
  for (const from of [0, Math.max(0, size - SAMPLE_BYTES)]) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, from);
    hash.update(buffer.subarray(0, bytesRead));
  }
  return hash.update(JSON.stringify({ size, mtimeMs })).digest('hex');
}

async function removeUnused(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    // Other processes rename and delete files in this folder at any time.
    const found = await stat(file).catch(() => undefined);
    const unusedMsMax = name.endsWith('.part') ? UNFINISHED_MS_MAX : UNUSED_MS_MAX;
    if (found && Date.now() - found.mtimeMs > unusedMsMax) await rm(file, { force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
