import path from 'node:path';
import { writeSyntheticModel, type Variant } from '../../../src/gguf/synthetic-model.ts';
import type { Timing } from '../overhead/timing.ts';
import type { Ask } from './client.ts';
import { promptOf } from './rows.ts';
import { openAskd } from './sides.ts';

/** The speed-up of answers, and the share of drafted tokens that were accepted. */
export type DraftRow = { name: string; atLeast: number; gains: readonly number[]; right: number };

type Wanted = Omit<DraftRow, 'gains' | 'right'> & {
  streams?: number;
  temperature?: number;
  format?: object;
};

const ANSWER_TOKENS = 96;

/** A model of random weights repeats itself if nothing else is allowed. */
const REPEATING = {
  type: 'json_schema',
  json_schema: { name: 'again', schema: { const: ' and so on'.repeat(12) }, strict: true },
};

const FROM_THE_TEXT: readonly Wanted[] = [
  { name: 'guessed from the text, which repeats', format: REPEATING, atLeast: 1.2 },
  { name: 'guessed from the text, which does not', temperature: 1.5, atLeast: 0.95 },
  { name: 'the same, 8 streams together', streams: 8, temperature: 1.5, atLeast: 0.95 },
];

/** A draft model with a twelfth of the layers. */
const DRAFT: Variant = { layers: 2 };
/**
 * The models that it drafts for: of full size, with layers that change nothing, a little or everything, so that its
 * draft tokens are mostly, often or never accepted.
 */
const BY_A_MODEL: readonly (Wanted & { echo: number })[] = [
  { name: 'guessed by a model that the larger one echoes', echo: 0, atLeast: 1.2 },
  { name: 'guessed by a model that it nearly echoes', echo: 0.05, atLeast: 1 },
  { name: 'guessed by a model that knows nothing of it', echo: 1, atLeast: 0.95 },
];

type Bench = { folder: string; rounds: number; check: () => void };

export async function* draftsFromTheText(plain: Ask, file: string, bench: Bench): AsyncGenerator<DraftRow> {
  await using drafting = await openAskd(file, { env: { ASKD_DRAFTING: 'prompt' } });
  for (const wanted of FROM_THE_TEXT) yield await compare({ plain, drafting: drafting.ask }, wanted, bench);
}

export async function* draftsByAModel(bench: Bench): AsyncGenerator<DraftRow> {
  const draft = path.join(bench.folder, 'draft.gguf');
  await writeSyntheticModel(draft, DRAFT);
  for (const { echo, ...wanted } of BY_A_MODEL) {
    const file = path.join(bench.folder, `echo-${echo}.gguf`);
    await writeSyntheticModel(file, { echo: { from: DRAFT.layers ?? 0, share: echo } });
    await using plain = await openAskd(file);
    await using drafting = await openAskd(file, { draft });
    yield await compare({ plain: plain.ask, drafting: drafting.ask }, wanted, bench);
  }
}

type Asks = { plain: Ask; drafting: Ask };

/** Each round measures once with drafts, and without them before and after, always with prompts that no cache holds. */
async function compare(asks: Asks, wanted: Wanted, { rounds, check }: Bench): Promise<DraftRow> {
  const { name, atLeast, streams = 1, ...how } = wanted;
  const gains: number[] = [];
  let [drafted, accepted] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const measure = async (ask: Ask, turn: number) => {
      check();
      const prompts = Array.from({ length: streams }, (_, place) =>
        promptOf(200, `draft ${round} ${turn} ${place}`),
      );
      return Promise.all(prompts.map((prompt) => ask(prompt, { maxTokens: ANSWER_TOKENS, ...how })));
    };
    const before = speedOf(await measure(asks.plain, 1));
    const replies = await measure(asks.drafting, 2);
    const after = speedOf(await measure(asks.plain, 3));
    for (const reply of replies) [drafted, accepted] = [drafted + reply.drafted, accepted + reply.accepted];
    gains.push(speedOf(replies) / ((before + after) / 2));
  }
  return { name, atLeast, gains, right: accepted / drafted };
}

/**
 * Tokens between the first that any stream received and the last: streams that are prefilled one after another may
 * never all run at once.
 */
function speedOf(replies: readonly Timing[]): number {
  const arrivals = replies.flatMap(({ arrivalsMs }) => arrivalsMs);
  const tokens = replies.reduce((sum, reply) => sum + reply.tokens, 0);
  return (1000 * tokens) / (Math.max(...arrivals) - Math.min(...arrivals));
}
