import { compareTexts, greedyTexts, type Comparison } from '../greedy-texts.ts';
import type { CardFinding, CardStep, CardSubject } from '../card-step.ts';
import { passed, weak } from '../../step.ts';
import type { Device } from '../../../runtime/devices/device.ts';

export const SMALL = { slots: 1, contextTokens: 1024 };

/** The model generates the same on the card as on the processor. */
export const answers: CardStep = {
  name: 'answers',
  async *run(subject, signal) {
    const { card, start, starter } = subject;
    await using runner = await start(starter, { ...SMALL, cards: [card] }, signal);
    const { onCards, all } = runner.description.layers ?? { onCards: 0, all: 0 };
    const found = `${onCards} of ${all} layers on the card`;
    yield { ...(all > 0 && onCards === all ? passed(found) : weak(found)), name: 'load' };
    yield describe(compareTexts(await subject.expected(), await greedyTexts(runner, signal)), 'answers');
  },
};

/** The same for a model whose layers are split between cards. */
export async function compareOn(
  cards: readonly Device[],
  { start, starter, expected }: CardSubject,
  signal: AbortSignal,
): Promise<Comparison> {
  await using runner = await start(starter, { ...SMALL, cards }, signal);
  return compareTexts(await expected(), await greedyTexts(runner, signal));
}

export function describe({ status, tokens, same, difference }: Comparison, name: string): CardFinding {
  const text =
    same === tokens
      ? `${tokens} tokens as on the processor`
      : `${same} of ${tokens} tokens as on the processor`;
  const shown = Number.isFinite(difference) ? difference.toPrecision(2) : 'without limit';
  return { status, name, message: `${text}, log-probabilities within ${shown}` };
}
