import type { PlaceRequest } from '../../../src/api/management/devices.ts';
import { Failure } from '../../../src/base/errors.ts';
import { chooseDevices } from '../../../src/runtime/devices/choose-devices.ts';
import { labelOf, type Device } from '../../../src/runtime/devices/device.ts';
import { gigabytes } from '../../../src/runtime/loads.ts';
import { isPlaceable, type ModelManifest, type Placement } from '../../../src/runtime/manifest.ts';

type Change = Omit<PlaceRequest, 'model'>;

type Parts = { manifest: ModelManifest; layers: number | null; devices: () => Promise<Device[]> };

/** The owner's earlier choice with this change applied; refused if the model or the machine does not support it. */
export async function changePlacement(
  change: Change,
  { manifest, layers, devices }: Parts,
): Promise<Placement> {
  checkModel(manifest, change);
  checkSplit(change.split);
  const before = manifest.placement ?? {};
  const { devices: wanted } = change;
  const chosen = Array.isArray(wanted) ? chooseDevices(wanted, await devices()) : undefined;
  const named = chosen?.map(({ backend, place, name }) => ({ backend, place, name }));
  const gpuLayers = valueOf(change.gpu_layers, before.gpuLayers);
  const placement = {
    devices: valueOf(wanted === 'auto' ? wanted : named, before.devices),
    gpuLayers,
    layers: gpuLayers === undefined ? undefined : (layers ?? undefined),
    draftOn: valueOf(change.draft, before.draftOn),
    projectorOn: valueOf(change.projector, before.projectorOn),
  };
  checkLayers(manifest, gpuLayers, layers);
  if (gpuLayers !== undefined && gpuLayers > 0 && (await devices()).length === 0)
    throw refusal('gpu_layers', 'This machine has no graphics card that the engine can use.', 'askd doctor');
  if (chosen) checkRoom(manifest, chosen, { gpuLayers, layers });
  return Object.fromEntries(Object.entries(placement).filter(([, value]) => value !== undefined));
}

/** `auto` undoes a choice, and absent fields stay as they were. */
function valueOf<Value>(given: Value | 'auto' | undefined, before: Value | undefined): Value | undefined {
  if (given === 'auto') return undefined;
  return given ?? before;
}

function checkModel({ id, engine, adapters, draft, files }: ModelManifest, change: Change): void {
  if (adapters) {
    const base = id.slice(0, id.lastIndexOf('+'));
    throw refusal('model', `"${id}" is always on the devices of its model.`, `askd place ${base}`);
  }
  if (!isPlaceable({ engine }))
    throw new Failure(
      'model_capability_mismatch',
      `"${id}" runs on ${engine}, which chooses its devices itself; models of the engines llama and vision can be placed.`,
      { param: 'model' },
    );
  if (change.draft === 'cpu' && !draft)
    throw refusal('draft', `"${id}" has no draft model.`, `askd bind SERVICE ${id} --draft SMALLER-MODEL`);
  if (change.projector === 'cpu' && !files?.['projector'])
    throw refusal('projector', `"${id}" has no projector.`, 'askd import FILE --projector FILE');
}

/** The library that binds the engine to Node passes on neither a ratio nor a main card. */
function checkSplit(split: string | undefined): void {
  if (split === undefined || split === 'memory') return;
  throw refusal(
    'split',
    `The engine splits a model by the free memory of each device and takes no ratio such as ${JSON.stringify(split)}. ` +
      'Name fewer devices, or fewer layers on them.',
    'askd place MODEL --devices 0 --gpu-layers 20',
  );
}

function checkLayers({ id }: ModelManifest, gpuLayers: number | undefined, layers: number | null): void {
  if (gpuLayers === undefined || layers === null || gpuLayers <= layers) return;
  throw refusal(
    'gpu_layers',
    `"${id}" has ${layers} layers with the output layer, fewer than ${gpuLayers}.`,
    `askd place ${id} --gpu-layers ${layers}`,
  );
}

/** For a chosen number of layers; otherwise as many as fit go there. */
function checkRoom(
  { id, bytes }: ModelManifest,
  chosen: readonly Device[],
  { gpuLayers, layers }: { gpuLayers: number | undefined; layers: number | null },
): void {
  if (gpuLayers === undefined || !layers) return;
  const need = Math.ceil((bytes * gpuLayers) / layers);
  const have = chosen.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
  if (need <= have) return;
  const fitting = Math.floor((have / bytes) * layers);
  throw new Failure(
    'insufficient_memory',
    `${gpuLayers} layers of "${id}" are ${gigabytes(need)}, and ${chosen.map(labelOf).join(' and ')} ${chosen.length === 1 ? 'has' : 'have'} ${gigabytes(have)}.`,
    {
      param: 'gpu_layers',
      details: {
        ...{ need_bytes: need, have_bytes: have },
        fix: `askd place ${id} --gpu-layers ${fitting}`,
      },
    },
  );
}

function refusal(param: string, message: string, fix: string): Failure {
  return new Failure('invalid_value', message, { param, details: { fix } });
}
