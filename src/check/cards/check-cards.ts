import { setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anySignal } from '../../base/any-signal.ts';
import { SYNTHETIC, writeSyntheticModel } from '../../gguf/synthetic-model.ts';
import { chooseDevices } from '../../runtime/devices/choose-devices.ts';
import type { Device } from '../../runtime/devices/device.ts';
import { findDevices, freeBytesOf } from '../../runtime/devices/find-devices.ts';
import { runnerEnvironment } from '../../runtime/runner-environment.ts';
import { syntheticManifest } from '../cases/synthetic-manifest.ts';
import { failed } from '../step.ts';
import type { CardRow, CardStep, CardSubject } from './card-step.ts';
import { driverOf } from './driver.ts';
import { hasOwnMemory } from './memory.ts';
import { createStart, onProcessor, type StartOptions } from './start.ts';
import { STEPS } from './steps.ts';

export type CardsOptions = StartOptions & {
  /** The cards that the engine uses by default, if absent. */
  devices?: readonly string[] | undefined;
  /** Layers of the synthetic model: more make it larger. */
  layers?: number | undefined;
  /** The program that looks for cards. */
  finder: string;
};

export type CheckedCard = Device & { driver: string | null; rows: readonly CardRow[] };

export type CardEvent =
  | { type: 'running'; card: Device; step: string }
  | { type: 'finished'; card: Device; row: CardRow }
  | { type: 'done'; found: readonly Device[]; cards: readonly CheckedCard[] };

/** The first load on a card also compiles its kernels. */
const STEP_MS_MAX = 600_000;

/** Finds out whether models work on the cards of this machine, and how fast they are. Needs no daemon. */
export async function* checkCards(options: CardsOptions, client: AbortSignal): AsyncGenerator<CardEvent> {
  const look = { entry: options.finder, environment: runnerEnvironment('llama') };
  const found = await findDevices(look);
  const cards = options.devices
    ? chooseDevices(options.devices, found)
    : found.filter(({ isAutomatic }) => isAutomatic);
  const checked: CheckedCard[] = [];
  if (cards.length > 0) {
    await using models = await writeModels(options);
    const expected = once(() => onProcessor(options, client));
    for (const [index, card] of cards.entries()) {
      const rows: CardRow[] = [];
      const isFirst = cards.findIndex(({ backend }) => backend === card.backend) === index;
      const second = isFirst
        ? cards.find((other) => other !== card && other.backend === card.backend)
        : undefined;
      const subject: CardSubject = {
        ...{ card, second, expected, starter: options.starter, ...models },
        start: createStart(options),
        freeBytes: () => (hasOwnMemory(card) ? freeBytesOf(card, look) : Promise.resolve(undefined)),
      };
      for (const step of STEPS) {
        yield { type: 'running', card, step: step.name };
        for await (const row of runStep(step, subject, client)) {
          rows.push(row);
          yield { type: 'finished', card, row };
        }
      }
      checked.push({ ...card, driver: await driverOf(card), rows });
    }
  }
  yield { type: 'done', found, cards: checked };
}

async function writeModels({ layers = SYNTHETIC.layers }: CardsOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'askd-cards-'));
  const path = join(folder, 'synthetic.gguf');
  await writeSyntheticModel(path, { layers });
  return {
    layers,
    synthetic: syntheticManifest({ path, layers, contextTokensMax: SYNTHETIC.contextTokens }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => (running ??= work());
}

/** A step that throws becomes a finding, and the next step runs. */
async function* runStep(step: CardStep, subject: CardSubject, client: AbortSignal): AsyncGenerator<CardRow> {
  const deadline = AbortSignal.timeout(STEP_MS_MAX);
  const signal = anySignal(client, deadline);
  // Many requests listen at the same time.
  setMaxListeners(0, signal);
  let startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10;
  try {
    for await (const finding of step.run(subject, signal)) {
      yield { ...finding, seconds: seconds() };
      startedAt = performance.now();
    }
  } catch (error) {
    client.throwIfAborted();
    const reason = deadline.aborted ? `not done in ${STEP_MS_MAX / 1000} s` : textOf(error);
    yield { ...failed(reason), name: step.name, seconds: seconds() };
  }
}

/** The native library's last message says more than that its process ended. */
function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const [words = ''] = typeof thrown.cause === 'string' ? thrown.cause.split('\n') : [];
  return words === '' ? thrown.message : `${thrown.message} Its last output: ${words}`;
}
