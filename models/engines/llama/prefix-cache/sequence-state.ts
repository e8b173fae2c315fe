import { closeSync, fstatSync, openSync, statfsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';

/** The state of a sequence, outside its context. */
export type SequenceState = {
  bytes: number;
  /** How many of the first `shared` tokens a sequence would hold once it was restored for them. */
  reaches(shared: number): number;
  /** Makes the sequence hold the first tokens, or throws and leaves it empty. */
  restore(target: LlamaContextSequence, tokens: number): Promise<void>;
  free(): void;
};

type Buffer = {
  init(context: object, sequenceId: number): Promise<void>;
  dispose(): void;
  readonly size: number;
};
type Checkpoint = { readonly maxPos: number };
type Checkpoints = {
  readonly memoryUsage: number;
  cloneCheckpointsStateFrom(other: Checkpoints): void;
  getLastCheckpoint(index: number, contextTokens: number): Checkpoint | null;
  clearAllCheckpoints(): void;
};
/** Used by node-llama-cpp internally and missing from its types. Its version is pinned, and tests check this. */
type Inside = {
  _context: {
    _ctx: {
      restoreCheckpoint(buffer: Buffer, lastIndex: number, sequenceId: number): Promise<boolean>;
      disposeSequence(sequenceId: number): void;
    };
  };
  _sequenceId: number;
  _contextTokens: readonly Token[];
  _nextTokenIndex: number;
  _checkpoints: Checkpoints;
};
type ModelInside = { _llama: { _bindings: { AddonContextSequenceCheckpoint: new () => Buffer } } };

const MEMORY_FILES = '/dev/shm';

export type StateRoom = { bytesMax: number; isFiles: boolean };

/**
 * How much all states may take. Buffers have no limit of their own; in-memory files exist only on Linux, and some
 * containers have little room for them.
 */
export function stateRoomOf(sequences: readonly LlamaContextSequence[]): StateRoom {
  const isFiles = sequences.some(({ needsCheckpoints }) => needsCheckpoints);
  return { bytesMax: isFiles ? freeFileBytes() : Infinity, isFiles };
}

/** The scheduler runs nothing else on the context in the meantime. */
export function saveState(sequence: LlamaContextSequence): Promise<SequenceState> {
  return sequence.needsCheckpoints ? saveToFile(sequence) : saveToBuffer(sequence);
}

/** llama.cpp copies the whole sequence for a checkpoint, unless it needs a checkpoint to go back. */
async function saveToBuffer(sequence: LlamaContextSequence): Promise<SequenceState> {
  const { _context: context, _sequenceId: id } = insideOf(sequence);
  const { _llama: llama } = sequence.model as unknown as ModelInside;
  const tokens = sequence.contextTokens;
  const buffer = new llama._bindings.AddonContextSequenceCheckpoint();
  await buffer.init(context._ctx, id);
  return {
    bytes: buffer.size,
    reaches: (shared) => shared,
    restore: (target, count) =>
      orEmpty(target, async () => {
        const inside = insideOf(target);
        if (!(await context._ctx.restoreCheckpoint(buffer, count - 1, inside._sequenceId)))
          throw new Error('llama.cpp did not restore the state of a sequence');
        Object.assign(inside, { _contextTokens: tokens.slice(0, count), _nextTokenIndex: count });
      }),
    free: () => buffer.dispose(),
  };
}

/** The file no longer has a name, so that its memory is freed however this process ends. */
async function saveToFile(sequence: LlamaContextSequence): Promise<SequenceState> {
  const name = join(MEMORY_FILES, `askd-${randomUUID()}`);
  const file = openSync(name, 'wx+', 0o600);
  unlinkSync(name);
  const path = `/proc/self/fd/${file}`;
  const { _checkpoints: own } = insideOf(sequence);
  const checkpoints = copyOf(own);
  const { length } = sequence.contextTokens;
  const free = () => {
    closeSync(file);
    checkpoints.clearAllCheckpoints();
  };
  try {
    await sequence.saveStateToFile(path);
  } catch (error) {
    free();
    throw error;
  }
  return {
    bytes: fstatSync(file).size + checkpoints.memoryUsage,
    reaches(shared) {
      if (shared >= length) return length;
      const last = checkpoints.getLastCheckpoint(shared - 1, sequence.contextSize);
      return last === null ? 0 : Math.min(shared, last.maxPos + 1);
    },
    restore: (target) =>
      orEmpty(target, async () => {
        await target.loadStateFromFile(path, { acceptRisk: true });
        insideOf(target)._checkpoints.cloneCheckpointsStateFrom(checkpoints);
      }),
    free,
  };
}

/** Checkpoints of what the sequence held before would be wrong for what it holds afterwards. */
async function orEmpty(target: LlamaContextSequence, restore: () => Promise<void>): Promise<void> {
  await target.clearHistory();
  try {
    await restore();
  } catch (error) {
    const inside = insideOf(target);
    inside._context._ctx.disposeSequence(inside._sequenceId);
    Object.assign(inside, { _contextTokens: [], _nextTokenIndex: 0 });
    throw error;
  }
}

function copyOf(checkpoints: Checkpoints): Checkpoints {
  const copy = new (checkpoints.constructor as new () => Checkpoints)();
  copy.cloneCheckpointsStateFrom(checkpoints);
  return copy;
}

function freeFileBytes(): number {
  if (process.platform !== 'linux') return 0;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FILES);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

const insideOf = (sequence: LlamaContextSequence) => sequence as unknown as Inside;
