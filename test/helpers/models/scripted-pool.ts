import type { Clock } from '../../../src/base/clock.ts';
import type { PromptCacheCounts } from '../../../src/config/prompt-cache.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import type { PoolEvent } from '../../../src/runtime/loads.ts';
import { NOWHERE } from '../../../src/runtime/devices/device.ts';
import type { Bytes } from '../../../src/runtime/memory.ts';
import { createPool, type PoolOptions } from '../../../src/runtime/pool.ts';
import type { Runner } from '../../../src/runtime/runner.ts';
import { settableClock } from '../clock.ts';

/** As an engine reports it: all cards together. */
type Measured = { ram: number; vram: number };

export type ScriptedLoad = {
  id: string;
  contextTokens: number;
  aborted: () => boolean;
  progress: (fraction: number) => void;
  succeed: (memory?: Measured) => ScriptedRunner;
  fail: (error: Error) => void;
};

export type ScriptedRunner = {
  crash: () => void;
  isDisposed: () => boolean;
  gone: (() => void) | undefined;
  /** How much its prompt cache may take, as last set. */
  limits: number[];
  /** Its prompt cache has freed what exceeds the last limit. */
  confirm: () => void;
};

export type ScriptedPoolOptions = Partial<PoolOptions> & {
  clock?: Clock & { advance(ms: number): void };
  /** Memory of a model by its id. */
  sizes?: Record<string, number>;
  budgetRam?: number;
  /** Runners have a prompt cache, which obeys when the test says so. */
  hasPromptCaches?: boolean;
  /** An ending process takes until the test releases it. */
  holdExits?: boolean;
};

export function manifestOf(id: string, path = `/${id}`): ModelManifest {
  const rest = { path, bytes: 1, contextTokensMax: 65_536, licence: 'none' };
  return { id, name: id, engine: 'llama', tasks: ['chat'], services: [], tier: 'imported', ...rest };
}

/** A pool whose loads succeed, fail and crash when the test says so, and which tracks the memory of its runners. */
export function scriptedPool(options: ScriptedPoolOptions = {}) {
  const { sizes = {}, budgetRam = 1000, holdExits = false, clock = settableClock(), ...given } = options;
  const { hasPromptCaches = false } = options;
  const loads: ScriptedLoad[] = [];
  const events: PoolEvent[] = [];
  const alive = new Map<Runner, Measured>();
  const sizeOf = (id: string): Bytes => ({ ram: sizes[id] ?? 1, vram: {} });

  const pool = createPool({
    start: (manifest, { contextTokens, signal, onProgress }) =>
      new Promise<Runner>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        loads.push({
          id: manifest.id,
          contextTokens,
          aborted: () => signal.aborted,
          progress: onProgress,
          fail: reject,
          succeed: (memory = { ram: sizes[manifest.id] ?? 1, vram: 0 }) =>
            deliver(resolve, { memory, contextTokens }),
        });
      }),
    placeOf: () => NOWHERE,
    needOf: ({ id }) => sizeOf(id),
    budget: () => ({ ram: budgetRam, vram: {} }),
    contextOf: () => ({ contextTokens: 8192, slots: 2, isAutomatic: true, reason: 'trained for 8,192' }),
    report: (event) => events.push(event),
    slotsOf: () => 2,
    queueMax: 4,
    promptCacheBytes: 0,
    keepAliveMs: Infinity,
    waitMs: 60_000,
    turnMs: 0,
    clock,
    ...given,
  });

  function deliver(
    resolve: (runner: Runner) => void,
    { memory, contextTokens }: { memory: Measured; contextTokens: number },
  ): ScriptedRunner {
    const state = { alive: true, isDisposed: false };
    let end!: () => void;
    const exited = new Promise<never>((done) => (end = done as () => void));
    const exit = () => {
      state.alive = false;
      alive.delete(runner);
      end();
    };
    const limits: number[] = [];
    const scripted: ScriptedRunner = {
      ...{ crash: exit, isDisposed: () => state.isDisposed, gone: undefined, limits },
      confirm: () => undefined,
    };
    const runner: Runner = {
      pid: 1,
      sandbox: null,
      exited,
      memoryBytes: 0,
      description: { slots: 2, contextTokens, threads: 1, device: 'none', memory },
      get alive() {
        return state.alive;
      },
      ...(hasPromptCaches && {
        limitPromptCache(bytes: number) {
          limits.push(bytes);
          return new Promise<PromptCacheCounts>((confirm) => {
            scripted.confirm = () => confirm({ bytes: 0, bytesMax: bytes, entries: 0, hits: 0 });
          });
        },
      }),
      [Symbol.asyncDispose]: async () => {
        state.isDisposed = true;
        if (!holdExits) return exit();
        scripted.gone = exit;
        await exited;
      },
    };
    alive.set(runner, memory);
    resolve(runner);
    return scripted;
  }

  return {
    pool,
    loads,
    events,
    clock,
    /** Memory of all processes that there are. */
    inUse: () => [...alive.values()].reduce((all, { ram }) => all + ram, 0),
  };
}

/** Runs everything that does not wait for a timer. */
export async function tick(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
