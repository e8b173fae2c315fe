import { onCards, ON_PROCESSOR } from '../../runtime/devices/device.ts';
import type { Logprob } from '../../runtime/engine.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import { startRunner } from '../../runtime/runner.ts';
import type { CardSubject } from './card-step.ts';
import { greedyTexts } from './greedy-texts.ts';
import { SMALL } from './steps/answers.ts';

export type StartOptions = {
  /** The program that runs a model. */
  runner: string;
  starter: ModelManifest;
  /** An engine compiled on this machine. */
  modules?: string | undefined;
};

/** The card's computations need no more, and the starter is too small for two. */
const THREADS = 1;

/** Loads a model on cards, or on the processor if none is named. */
export function createStart({ runner, modules }: StartOptions): CardSubject['start'] {
  return (manifest, { cards, gpuLayers, ...sizes }, signal) =>
    startRunner({
      entry: runner,
      manifest: gpuLayers === undefined ? manifest : { ...manifest, placement: { gpuLayers } },
      load: {
        ...sizes,
        devices: onCards(cards) ?? ON_PROCESSOR,
        threads: THREADS,
        ...(modules !== undefined && { modules }),
      },
      signal,
    });
}

/** What the starter generates on the processor. */
export async function onProcessor(options: StartOptions, signal: AbortSignal): Promise<Logprob[][]> {
  await using runner = await createStart(options)(options.starter, { ...SMALL, cards: [] }, signal);
  return await greedyTexts(runner, signal);
}
