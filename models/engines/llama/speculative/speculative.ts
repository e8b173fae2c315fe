import type { Token } from 'node-llama-cpp';
import type { DraftCounts } from '../../../../src/config/speculative.ts';
import type { Draftable, Generation } from '../generation/generation.ts';
import { createDraftPace, createDraftRecord, type DraftPace, type DraftRecord } from './draft-pace.ts';

/** Drafts the continuation of one text. */
export type Drafter = {
  /** Catches up with the text and resolves to how many tokens it could draft now. */
  ready(): Promise<number>;
  propose(count: number): Promise<readonly Token[]>;
  close(): void;
};

/** A drafter for the request in a slot. */
export type OpenDrafter = (draftable: Draftable, place: number) => Drafter;

export type Speculative = {
  /** Drafts for all running requests, in slot order. */
  draft(running: readonly (Generation | undefined)[]): Promise<Drafts>;
  /** Counts over all requests so far. */
  counts(): DraftCounts;
};

export type Drafts = {
  of: readonly (readonly Token[])[];
  /** To be called when the step with these drafts is over. */
  learn(): void;
};

/** More are hardly ever all accepted. */
const TOKENS_MAX = 16;

type Draft = { draftable: Draftable; drafter: Drafter; record: DraftRecord };

/**
 * Speculative decoding: one decode verifies many draft tokens. All slots draft at the same time and are verified at
 * the same time, so they share their native decodes.
 */
export function createSpeculative(
  openDrafter: OpenDrafter,
  pace: DraftPace = createDraftPace(),
): Speculative {
  /** By slot. */
  const drafts: (Draft | undefined)[] = [];
  const total: DraftCounts = { drafted: 0, accepted: 0 };

  function draftFor(draftable: Draftable, place: number): Draft {
    const known = drafts[place];
    if (known?.draftable === draftable) return known;
    known?.drafter.close();
    const draft = { draftable, drafter: openDrafter(draftable, place), record: createDraftRecord() };
    drafts[place] = draft;
    return draft;
  }

  async function draftOne(draftable: Draftable, place: number) {
    const { drafter, record } = draftFor(draftable, place);
    const tokensMax = Math.min(await drafter.ready(), draftable.tokensMax(), TOKENS_MAX);
    return { drafter, record, draftable, tokensMax: Math.max(0, tokensMax) };
  }

  return {
    counts: () => total,
    async draft(running) {
      const found = await Promise.all(
        running.map(
          async (generation, place) => generation?.drafting && draftOne(generation.drafting, place),
        ),
      );
      const drafting = found.filter((one) => one !== undefined);
      const count = running.filter((generation) => generation).length;
      const counts = pace.allot(
        drafting.map(({ tokensMax, record }) => ({
          tokensMax,
          chance: record.chance(),
          isTrial: record.isTrial(),
        })),
        count,
      );
      const startedAt = performance.now();
      const proposed = await Promise.all(
        drafting.map(async ({ drafter }, index) => {
          const wanted = counts[index] ?? 0;
          return wanted > 0 ? drafter.propose(wanted) : [];
        }),
      );
      const before = drafting.map(({ draftable }) => ({ ...draftable.tally }));
      return {
        of: found.map((one) => (one && proposed[drafting.indexOf(one)]) ?? []),
        learn() {
          const drafted = proposed.reduce((sum, { length }) => sum + length, 0);
          const right = drafting.map(
            ({ draftable }, index) => draftable.tally.accepted - (before[index]?.accepted ?? 0),
          );
          const accepted = right.reduce((sum, each) => sum + each, 0);
          const ms = performance.now() - startedAt;
          const hasPaid = pace.observe({ running: count, drafted, accepted, ms });
          total.drafted += drafted;
          total.accepted += accepted;
          for (const [index, { record, tokensMax }] of drafting.entries()) {
            const tokens = proposed[index]?.length ?? 0;
            if (tokens > 0) record.learn({ drafted: tokens, accepted: right[index] ?? 0, hasPaid });
            else if (tokensMax > 0) record.pass();
          }
        },
      };
    },
  };
}
