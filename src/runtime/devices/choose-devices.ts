import { Failure } from '../../base/errors.ts';
import type { DeviceName, ModelManifest } from '../manifest.ts';
import { labelOf, type Device } from './device.ts';

const LIST = { fix: 'askd devices' };

/** The selected cards, each by number or by part of its name, all of one backend. */
export function chooseDevices(wanted: readonly string[], found: readonly Device[]): Device[] {
  if (found.length === 0)
    throw new Failure('invalid_value', 'This machine has no graphics card that the engine can use.', {
      param: 'devices',
      details: { fix: 'askd doctor' },
    });
  const chosen = wanted.map((text) => chooseDevice(text, found));
  const twice = chosen.find((device, place) => chosen.indexOf(device) !== place);
  if (twice) throw invalid(`Device ${twice.index} (${labelOf(twice)}) is named twice.`);
  const other = chosen.find(({ backend }) => backend !== chosen[0]?.backend);
  if (other && chosen[0])
    throw invalid(
      `${labelOf(chosen[0])} and ${labelOf(other)} have different backends, and a model runs on one. ` +
        'Name devices of the same backend.',
    );
  return chosen;
}

function chooseDevice(text: string, found: readonly Device[]): Device {
  const wanted = text.trim().toLowerCase();
  const isNumber = /^\d+$/.test(wanted);
  const numbered = found.find(({ index }) => isNumber && index === Number(wanted));
  if (numbered) return numbered;
  const named = wanted === '' ? [] : found.filter((device) => labelOf(device).toLowerCase().includes(wanted));
  const [only, another] = named;
  if (!only && isNumber) throw invalid(`There is no device ${wanted}. ${these(found)}`);
  if (!only) throw invalid(`No device has ${JSON.stringify(text)} in its name. ${these(found)}`);
  if (another)
    throw invalid(
      `${JSON.stringify(text)} is in the names of ${named.map(numberedLabel).join(' and ')}. Give the number of one.`,
    );
  return only;
}

/** The cards that were chosen for a model earlier, if they are still the same. */
export function findChosen({ id }: ModelManifest, chosen: readonly DeviceName[], found: readonly Device[]) {
  return chosen.map((wanted) => {
    const device = found.find(({ backend, place }) => backend === wanted.backend && place === wanted.place);
    if (device?.name === wanted.name) return device;
    throw new Failure(
      'model_load_failed',
      `"${id}" is placed on ${labelOf(wanted)}, which is not present now. ${these(found)}`,
      { details: { fix: `askd place ${id} --devices auto` } },
    );
  });
}

function these(found: readonly Device[]): string {
  return found.length === 0
    ? 'The engine finds no card.'
    : `This machine has ${found.map(numberedLabel).join(', ')}.`;
}

const numberedLabel = (device: Device) => `${device.index} (${labelOf(device)})`;

function invalid(message: string): Failure {
  return new Failure('invalid_value', message, { param: 'devices', details: LIST });
}
