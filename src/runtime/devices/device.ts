import type { CardBackend, DeviceName } from '../manifest.ts';

/** A graphics card as the engine finds it. A card that several drivers offer is found once for each driver. */
export type Device = DeviceName & {
  /** Its number in `askd devices`. */
  index: number;
  totalBytes: number;
  /** Free memory when it was queried. */
  freeBytes: number;
  /** It has no memory of its own. */
  isShared: boolean;
  /** Whether the engine uses it by default; a processor that presents itself as a card is only used by name. */
  isAutomatic: boolean;
  /** Its name in the variable that hides the others. */
  selector: string;
};

/** The devices of this machine on which a runner computes; the engine decides if absent. */
export type Devices = {
  backend: CardBackend | 'cpu';
  /** The environment in which the engine sees only these cards. */
  environment: Readonly<Record<string, string>>;
};

/** Where a model goes: on these cards, whose memory it counts against, and the settings for the runner. */
export type Place = { cards: readonly Device[]; devices?: Devices | undefined };

export const NOWHERE: Place = { cards: [] };

export const ON_PROCESSOR: Devices = { backend: 'cpu', environment: {} };

/** The variables with which the drivers hide cards. Metal has one card, and nothing to hide. */
export const VISIBLE: Readonly<Record<CardBackend, string | undefined>> = {
  cuda: 'CUDA_VISIBLE_DEVICES',
  vulkan: 'GGML_VK_VISIBLE_DEVICES',
  metal: undefined,
};

/** In this order: the first card gets the first layers. */
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
