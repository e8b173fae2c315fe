import { builtFile } from '../../src/base/paths.ts';
import { findChosen } from '../../src/runtime/devices/choose-devices.ts';
import { onCards, ON_PROCESSOR, type Device, type Devices } from '../../src/runtime/devices/device.ts';
import { findDevices } from '../../src/runtime/devices/find-devices.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { runnerEnvironment } from '../../src/runtime/runner-environment.ts';

export type DeviceList = ReturnType<typeof composeDevices>;

const findThem = () =>
  findDevices({ entry: builtFile('models/devices.js'), environment: runnerEnvironment('llama') });

/** The graphics cards of this machine, looked for when they are first needed. */
export function composeDevices(find: () => Promise<Device[]> = findThem) {
  let found: Promise<Device[]> | undefined;

  /** Looks again, since the free memory changes. */
  function look(): Promise<Device[]> {
    found = find();
    return found;
  }

  const list = () => found ?? look();

  return {
    look,
    list,
    /** Where this model is to compute, if its owner said so. */
    async forLoad(manifest: ModelManifest): Promise<Devices | undefined> {
      const { devices, gpuLayers } = manifest.placement ?? {};
      if (gpuLayers === 0) return ON_PROCESSOR;
      return devices && onCards(findChosen(manifest, devices, await list()));
    },
  };
}
