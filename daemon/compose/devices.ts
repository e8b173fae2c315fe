import { Failure } from '../../src/base/errors.ts';
import { mayHaveCard } from '../../src/config/graphics-cards.ts';
import { entryFile } from '../../src/base/paths.ts';
import type { Settings } from '../../src/config/config.ts';
import { automaticCards, chooseCards } from '../../src/runtime/devices/choose-cards.ts';
import { chooseDevices, findChosen } from '../../src/runtime/devices/choose-devices.ts';
import { NOWHERE, onCards, ON_PROCESSOR, type Device, type Place } from '../../src/runtime/devices/device.ts';
import { findDevices } from '../../src/runtime/devices/find-devices.ts';
import { isPlaceable, needsRunner, type ModelManifest } from '../../src/runtime/manifest.ts';
import type { Bytes } from '../../src/runtime/memory.ts';
import { runnerEnvironment } from '../../src/runtime/runner-environment.ts';

export type DeviceList = ReturnType<typeof composeDevices>;

type Parts = { settings: Pick<Settings, 'defaultDevices'>; find?: (() => Promise<Device[]>) | undefined };

const findThem = () =>
  findDevices({ entry: entryFile('models/devices.js'), environment: runnerEnvironment('llama') });

/** The graphics cards of this machine, detected when they are first needed, and where models go. */
export function composeDevices({ settings: { defaultDevices: standard }, find }: Parts) {
  const look = find ?? findThem;
  const isFixed = standard !== 'auto' && standard !== 'all';
  let found: Promise<Device[]> | undefined;
  let known: readonly Device[] | undefined;

  async function keep(): Promise<Device[]> {
    const cards = await look();
    known = cards;
    return cards;
  }

  function list(): Promise<Device[]> {
    found ??= keep();
    return found;
  }

  /** The cards of a model without a placement. */
  function standardFor(memory: { bytes: number; free: Bytes; room: Bytes }): Place {
    const all = known ?? [];
    if (isFixed) return placeOn(defaultCards(standard, all));
    const cards = chooseCards({ found: all, isSpread: standard === 'all', ...memory });
    return cards.length === automaticCards(all).length ? { cards } : placeOn(cards);
  }

  return {
    list,
    /** As they are now, since their free memory changes. */
    look: () => (known === undefined ? list() : look()),
    known: () => known ?? [],
    /** Detects them, unless that has been done or nobody needs them. */
    prepare(manifest: ModelManifest): Promise<unknown> | undefined {
      if (known !== undefined || !needsRunner(manifest)) return undefined;
      const mayMatter = find !== undefined || isFixed || manifest.placement?.devices || mayHaveCard();
      return mayMatter ? list() : undefined;
    },
    placeOf(manifest: ModelManifest, memory: { bytes: number; free: Bytes; room: Bytes }): Place {
      const { devices, gpuLayers } = manifest.placement ?? {};
      if (!needsRunner(manifest)) return NOWHERE;
      if (gpuLayers === 0) return { cards: [], devices: ON_PROCESSOR };
      if (devices) return placeOn(findChosen(manifest, devices, known ?? []));
      return isPlaceable(manifest) ? standardFor(memory) : { cards: automaticCards(known ?? []) };
    },
  };
}

const placeOn = (cards: readonly Device[]): Place => ({ cards, devices: onCards(cards) });

function defaultCards(standard: string, found: readonly Device[]): Device[] {
  try {
    return chooseDevices(standard.split(','), found);
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause;
    throw new Failure('model_load_failed', `The setting default_devices is ${standard}. ${cause.message}`, {
      details: { fix: 'askd config unset default_devices' },
    });
  }
}
