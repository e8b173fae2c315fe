import {
  addAdapter,
  listAdapters,
  removeAdapter,
  type AdapterRequest,
} from '../../src/api/management/adapters.ts';
import { adoptModels, listAdoptable, type AdoptRequest } from '../../src/api/management/adopt.ts';
import { importArtifact, type ImportRequest } from '../../src/api/management/daemon.ts';
import { exportArchive, importArchive, type ExportRequest } from '../../src/api/management/archive.ts';
import { listDevices, placeModel, type PlaceRequest } from '../../src/api/management/devices.ts';
import type { Http } from '../../src/api/http/http.ts';

/** Model files already on this machine, adapters, and the cards that models are placed on. */
export function localModelCalls({ call, stream }: Http, slow: { silenceMsMax: number }) {
  return {
    importFile: (body: ImportRequest) => call(importArtifact, { body, ...slow }),
    exportArchive: (body: ExportRequest) => stream(exportArchive, { body, ...slow }),
    importArchive: (path: string, settings: boolean) =>
      stream(importArchive, { body: { path, settings }, ...slow }),
    devices: () => call(listDevices, slow),
    place: (body: PlaceRequest) => call(placeModel, { body, ...slow }),
    adapters: () => call(listAdapters),
    addAdapter: (body: AdapterRequest) => call(addAdapter, { body }),
    removeAdapter: (name: string) => call(removeAdapter, { params: { name }, ...slow }),
    adoptable: () => call(listAdoptable, slow),
    adopt: (body: AdoptRequest) => call(adoptModels, { body, ...slow }),
  };
}
