import { listDevices, placeModel, type Placement as Shown } from '../../../src/api/management/devices.ts';
import { readGgufHeader } from '../../../src/library/formats/gguf-header.ts';
import { isPlaceable, type ModelManifest } from '../../../src/runtime/manifest.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { changePlacement } from './placement.ts';

/** The graphics cards, and which of them a model is placed on. */
export function registerDevices(register: RegisterRoute, services: Services): void {
  const { devices, library, pool } = services;

  register(listDevices, async () => ({
    devices: (await devices.look()).map(({ index, name, backend, ...device }) => ({
      ...{ index, name, backend },
      total_bytes: device.totalBytes,
      free_bytes: device.freeBytes,
      is_shared: device.isShared,
      is_automatic: device.isAutomatic,
    })),
  }));

  register(placeModel, async ({ body }) => {
    const { model, ...change } = body;
    const manifest = library.resolve(model);
    const layers = layersOf(manifest);
    if (Object.keys(change).length > 0) {
      const placement = await changePlacement(change, { manifest, layers, devices: devices.list });
      library.place(manifest.id, placement);
    }
    const isLoaded = pool
      .status()
      .some(({ artifact, state }) => artifact === manifest.id && state === 'loaded');
    return toShown(library.resolve(model), { layers, isLoaded });
  });
}

function layersOf(manifest: ModelManifest): number | null {
  return isPlaceable(manifest) ? readGgufHeader(manifest.path).layers : null;
}

type Facts = { layers: number | null; isLoaded: boolean };

function toShown({ id, placement = {} }: ModelManifest, { layers, isLoaded }: Facts): Shown {
  const { devices, gpuLayers, draftOn, projectorOn } = placement;
  return {
    model: id,
    devices: devices ? devices.map(({ backend, name }) => ({ backend, name })) : null,
    gpu_layers: gpuLayers ?? null,
    layers,
    draft: draftOn ?? null,
    projector: projectorOn ?? null,
    is_loaded: isLoaded,
  };
}
