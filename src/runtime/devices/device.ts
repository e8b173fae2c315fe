import type { CardBackend, DeviceName } from '../manifest.ts';

/** A graphics card as the engine finds it. One that several drivers offer is found once for each of them. */
export type Device = DeviceName & {
  /** Its number in `askd devices`. */
  index: number;
  totalBytes: number;
  /** When it was looked at. */
  freeBytes: number;
  /** It has no memory of its own. */
  isShared: boolean;
  /** Whether the engine takes it by itself; a processor that poses as a card is only taken by name. */
  isAutomatic: boolean;
  /** Its name in the variable that hides the others. */
  selector: string;
};

/** What of this machine a runner computes on; the engine decides what is absent. */
export type Devices = {
  backend: CardBackend | 'cpu';
  /** The environment in which the engine sees these cards alone. */
  environment: Readonly<Record<string, string>>;
};

/** Where a model goes: on these cards, which count its memory, and with what the runner is told. */
export type Place = { cards: readonly Device[]; devices?: Devices | undefined };

export const NOWHERE: Place = { cards: [] };

export const ON_PROCESSOR: Devices = { backend: 'cpu', environment: {} };

/** The variables with which the drivers hide cards. Metal has one card, and nothing to hide. */
export const VISIBLE: Readonly<Record<CardBackend, string | undefined>> = {
  cuda: 'CUDA_VISIBLE_DEVICES',
  vulkan: 'GGML_VK_VISIBLE_DEVICES',
  metal: undefined,
};

/** In this order: the first of them has the first layers. */
export function onCards(cards: readonly Device[]): Devices | undefined {
  const [first] = cards;
  if (!first) return undefined;
  const variable = VISIBLE[first.backend];
  const selectors = cards.map(({ selector }) => selector).join(',');
  return { backend: first.backend, environment: variable === undefined ? {} : { [variable]: selectors } };
}

export function labelOf({ backend, name }: DeviceName): string {
  return `${backend} ${name}`;
}
