import type { CardStep } from './card-step.ts';
import { answers } from './steps/answers.ts';
import { killedRunner } from './steps/killed-runner.ts';
import { outOfMemory } from './steps/out-of-memory.ts';
import { speed } from './steps/speed.ts';
import { twoCards } from './steps/two-cards.ts';

/** The checks of a card, in order. */
export const STEPS: readonly CardStep[] = [answers, speed, twoCards, killedRunner, outOfMemory];
