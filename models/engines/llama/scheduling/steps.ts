import type { Token } from 'node-llama-cpp';
import type { Speculative } from '../speculative/speculative.ts';
import {
  createPrefillPace,
  PREFILL_MS_ALONE,
  PREFILL_MS_QUEUED,
  PREFILL_MS_SHARED,
  type Pieces,
  type PrefillPaceOptions,
  type Prompt,
} from './prefill-pace.ts';
import { standsStill, type Slot } from './slot.ts';
import { waitMsLeft } from './burst.ts';
import { createDecodeShare } from './decode-share.ts';

export type Steps = {
  /** One step of everything that is running. Settles when all of it is done. */
  run(): Promise<void>;
  /** llama.cpp performs a copy inside the next decode, whose time then says nothing about prefill speed. */
  noteCopy(): void;
  /** How long prefilling this many tokens takes; undefined before the first measurement. */
  prefillMs: (tokens: number) => number | undefined;
};

export type StepsOptions = PrefillPaceOptions & {
  slots: readonly Slot[];
  drafting: Speculative | undefined;
  /** How long requests of one burst wait for each other. */
  burstMs?: number | undefined;
  /** Prefills this many prompt tokens of the slot, or decodes one token plus the accepted draft tokens. */
  advance: (slot: Slot, promptTokensMax: number, draft?: readonly Token[]) => Promise<void>;
  /** The same for slots that need no more than one token each; undefined if one of them does. */
  advanceTogether?: (slots: readonly Slot[]) => Promise<unknown> | undefined;
  /** Prompt tokens that the slot's request has to prefill before it decodes. */
  promptTokensOf: (slot: Slot) => number;
  /** Whether a queued request could start if the step ended. */
  mayAdmit: () => boolean;
};

/**
 * In each step every decoding request makes one token, all in one native decode. If there is prefill to do, they make
 * a few, and then a piece of a prompt is prefilled. Requests of one burst wait for each other's first token.
 */
export function createSteps(options: StepsOptions): Steps {
  const { slots, drafting, burstMs, advance, advanceTogether, promptTokensOf, mayAdmit } = options;
  const pace = createPrefillPace(options);
  const share = createDecodeShare();
  let hasCopied = false;

  function isRunning(slot: Slot): boolean {
    return slot.job?.generation !== undefined && !standsStill(slot, slots);
  }

  function isDecoding(slot: Slot): boolean {
    return isRunning(slot) && promptTokensOf(slot) === 0;
  }

  function promptsLeft(): Prompt[] {
    return slots.flatMap((slot, index) => {
      const left = isRunning(slot) ? promptTokensOf(slot) : 0;
      return left > 0 && slot.job ? [{ slot: index, left, arrivedAtMs: slot.job.arrivedAtMs }] : [];
    });
  }

  function decodingWaitsMs(): number {
    const running = slots.filter(isRunning).flatMap(({ job }) => job ?? []);
    return waitMsLeft(running, performance.now(), burstMs);
  }

  async function decodeDrafted(): Promise<void> {
    const drafts = await drafting?.draft(
      slots.map((slot) => (isRunning(slot) ? slot.job?.generation : undefined)),
    );
    for (const { job } of slots) job?.work.pacing?.(0, 1);
    await decode(drafts?.of);
    drafts?.learn();
  }

  /** Without drafts: with prefill, a step is long enough. */
  async function decodeBesidePrefill(pieces: Pieces): Promise<void> {
    const { steps, periodMs } = share.plan(pace.expectedMs(sumOf(pieces)));
    for (const { job } of slots.filter(isDecoding)) job?.work.pacing?.(periodMs, steps);
    for (let step = 0; step < steps && !mayAdmit() && slots.some(isDecoding); step++) {
      const startedAt = performance.now();
      await decode();
      share.observe(performance.now() - startedAt);
    }
  }

  async function decode(drafts?: readonly (readonly Token[])[]): Promise<void> {
    const decoding = slots.filter(isDecoding);
    const together = drafts ? undefined : advanceTogether?.(decoding);
    if (together) return void (await together);
    await Promise.all(decoding.map((slot) => advance(slot, 0, drafts?.[slots.indexOf(slot)])));
  }

  /**
   * Separate from decoding requests: llama.cpp would put the first token of each piece in their batch, and the rest
   * after it.
   */
  async function prefill(pieces: Pieces): Promise<void> {
    const startedAt = performance.now();
    const shares = slots.map((slot, index) => ({ slot, tokens: pieces.get(index) ?? 0 }));
    const prefilling = shares.filter(({ tokens }) => tokens > 0);
    await Promise.all(prefilling.map(({ slot, tokens }) => advance(slot, tokens)));
    for (const slot of slots.filter(isDecoding)) if (slot.job) slot.job.decodingSinceMs ??= performance.now();
    if (!hasCopied) pace.observe({ promptTokens: sumOf(pieces), ms: performance.now() - startedAt });
    hasCopied = false;
  }

  return {
    async run() {
      const prompts = promptsLeft();
      if (prompts.length === 0) return decodeDrafted();
      if (!slots.some(isDecoding)) {
        return prefill(pace.plan(prompts, prompts.length === 1 ? PREFILL_MS_ALONE : PREFILL_MS_QUEUED));
      }
      const waitMs = decodingWaitsMs();
      // While a burst waits, longer steps hold nobody up, and short prompts take less time together.
      const pieces = pace.plan(prompts, waitMs > 0 ? PREFILL_MS_QUEUED + waitMs : PREFILL_MS_SHARED);
      if (waitMs === 0) await decodeBesidePrefill(pieces);
      await prefill(pieces);
    },
    noteCopy() {
      hasCopied = true;
    },
    prefillMs: pace.expectedMs,
  };
}

const sumOf = (pieces: Pieces): number => [...pieces.values()].reduce((sum, tokens) => sum + tokens, 0);
