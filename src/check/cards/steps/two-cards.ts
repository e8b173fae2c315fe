import { skipped } from '../../step.ts';
import type { CardStep } from '../card-step.ts';
import { compareOn, describe } from './answers.ts';

/** A model whose layers are split between two cards generates the same. */
export const twoCards: CardStep = {
  name: 'two cards',
  async *run(subject, signal) {
    const { card, second } = subject;
    if (!second) yield { ...skipped('there is no second card to share a model with'), name: 'two cards' };
    else yield describe(await compareOn([card, second], subject, signal), 'two cards');
  },
};
