import type { Token } from 'node-llama-cpp';
import type { PromptCacheCounts } from '../../../../src/config/prompt-cache.ts';
import type { SequenceState } from './sequence-state.ts';

/** A conversation that had to leave its slot. */
export type CachedPrompt = {
  tokens: readonly Token[];
  /** How many of them were the prompt; the rest is its answer. */
  promptTokens: number;
  /** Only requests with the same salt may continue it. */
  salt: string | undefined;
  state: SequenceState;
};

export type FoundPrompt = { entry: CachedPrompt; tokens: number };

export type PromptCache = ReturnType<typeof createPromptCache>;

/** A token takes about this much memory besides its state. */
const TOKEN_BYTES = 8;

/** Earlier conversations in memory. If there is no room, the least recently used are dropped first. */
export function createPromptCache(bytesMax: number) {
  let limit = bytesMax;
  /** The least recently used first. */
  let entries: CachedPrompt[] = [];
  /** What a request is about to continue. */
  let held: CachedPrompt | undefined;
  let hits = 0;

  const used = () => sum(entries);

  function remove(leaving: CachedPrompt): void {
    entries = entries.filter((entry) => entry !== leaving);
    leaving.state.free();
  }

  function makeRoom(bytes: number): boolean {
    if (bytes > limit - sum(held ? [held] : [])) return false;
    for (const oldest of entries.filter((entry) => entry !== held)) {
      if (used() + bytes <= limit) break;
      remove(oldest);
    }
    return true;
  }

  return {
    isOn: () => limit > 0,
    /** Whether this many bytes fit, after dropping others for them. */
    makeRoom,
    /** Among those with this salt, the one that saves most tokens of the prompt. */
    find(prompt: readonly Token[], salt: string | undefined): FoundPrompt | undefined {
      let best: FoundPrompt | undefined;
      for (const entry of entries.filter((each) => each.salt === salt)) {
        const tokens = entry.state.reaches(sharedLength(entry.tokens, prompt));
        if (tokens > 0 && tokens >= (best?.tokens ?? 0)) best = { entry, tokens };
      }
      return best;
    },
    /** Keeps it while room is made for others, until another one is held or none. */
    hold(entry: CachedPrompt | undefined): void {
      held = entry;
      if (!held) makeRoom(0);
    },
    /** Replaces those that are its prefixes. Frees it if it does not fit. */
    add(entry: CachedPrompt): void {
      const isOlder = ({ tokens, salt }: CachedPrompt) =>
        salt === entry.salt && sharedLength(tokens, entry.tokens) === tokens.length;
      for (const older of entries.filter(isOlder)) if (older !== held) remove(older);
      if (makeRoom(bytesOf(entry))) entries.push(entry);
      else entry.state.free();
    },
    /** A request continues it; if it is the same conversation, it moves into the slot. */
    used(entry: CachedPrompt, goesOn: boolean): void {
      hits += 1;
      entries = [...entries.filter((other) => other !== entry), entry];
      if (goesOn) remove(entry);
    },
    remove,
    limit(bytes: number): void {
      limit = bytes;
      makeRoom(0);
    },
    clear(): void {
      for (const entry of entries) remove(entry);
    },
    counts: (): PromptCacheCounts => ({ bytes: used(), bytesMax: limit, entries: entries.length, hits }),
  };
}

const sum = (entries: readonly CachedPrompt[]) => entries.reduce((bytes, entry) => bytes + bytesOf(entry), 0);

export function bytesOf({ state, tokens }: CachedPrompt): number {
  return state.bytes + tokens.length * TOKEN_BYTES;
}

/** How many tokens both share at the start. */
export function sharedLength(a: readonly Token[], b: readonly Token[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return index;
  return length;
}
