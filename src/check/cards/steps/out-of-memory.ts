import { Failure } from '../../../base/errors.ts';
import { SYNTHETIC, syntheticCacheBytes } from '../../../gguf/synthetic-model.ts';
import { failed, passed, skipped, type Finding } from '../../step.ts';
import type { CardStep, CardSubject } from '../card-step.ts';
import { compareOn } from './answers.ts';
import { gigabytes, givenBack, hasOwnMemory } from '../memory.ts';

const NAME = 'out of memory';
/** Share of the card's memory at which the weights fit and the context does not. */
const SHARE_OF_CARD = 1.25;
/** As many sequences as the engine supports. */
const SLOTS_MAX = 256;

/**
 * A load that runs out of memory halfway is refused with its reason and leaves nothing behind, and the next one
 * works.
 */
export const outOfMemory: CardStep = {
  name: NAME,
  async *run(subject, signal) {
    yield { ...(await tooLarge(subject, signal)), name: NAME };
  },
};

async function tooLarge(subject: CardSubject, signal: AbortSignal): Promise<Finding> {
  const { card, layers, freeBytes } = subject;
  if (!hasOwnMemory(card)) return skipped('the card shares the memory of the machine');
  const slotBytes = syntheticCacheBytes(layers) * SYNTHETIC.contextTokens;
  const slots = Math.ceil((SHARE_OF_CARD * card.totalBytes) / slotBytes);
  if (slots > SLOTS_MAX) return skipped(`${SLOTS_MAX} contexts of this model fit on the card`);
  const before = await freeBytes();
  const code = await loadTooMuch(subject, slots, signal);
  if (code !== 'insufficient_memory') return failed(`a context of ${gigabytes(slots * slotBytes)} ${code}`);
  const memory = await givenBack({ before, taken: subject.synthetic.bytes, freeBytes }, signal);
  if (!memory.isBack) return failed(`refused${memory.text}`);
  const { status } = await compareOn([card], subject, signal);
  if (status === 'failed') return failed('refused, and the next load answers something else');
  return passed(
    `a context of ${gigabytes(slots * slotBytes)} is refused with insufficient_memory; the next load works`,
  );
}

async function loadTooMuch(
  { card, layers, start, synthetic }: CardSubject,
  slots: number,
  signal: AbortSignal,
) {
  const load = { slots, contextTokens: SYNTHETIC.contextTokens, cards: [card], gpuLayers: layers + 1 };
  try {
    await using runner = await start(synthetic, load, signal);
    return `was loaded, on ${runner.description.device}`;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Failure)
      return error.code === 'insufficient_memory' ? error.code : `fails with ${error.code}`;
    throw error;
  }
}
