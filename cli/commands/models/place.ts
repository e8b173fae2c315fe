import type { Placement, PlaceRequest } from '../../../src/api/management/devices.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { renderFields } from '../../output/table.ts';

type Options = {
  devices?: string;
  gpuLayers?: string;
  split?: string;
  draft?: string;
  projector?: string;
};

export const place = command<Options>({
  name: 'place',
  group: 'Models:',
  summary: 'choose where the layers of a model go, or show it',
  details:
    'Name devices by their numbers in askd devices, or by part of their names; the first gets the first layers. ' +
    'A model on several is split by their free memory. "auto" undoes the choice. It takes effect with the next load.',
  examples: [
    'askd place my-model --devices 0',
    'askd place my-model --devices "rtx 4090,rtx 3090"',
    'askd place my-model --devices 1 --gpu-layers 20    # the other layers are computed by the processor',
    'askd place my-model --gpu-layers 0                 # no card',
    'askd place my-model --draft cpu                    # the draft model, while the model is on a card',
    'askd place my-model --devices auto --gpu-layers auto',
    'askd place my-model',
  ],
  configure(commander) {
    commander
      .argument('<model>', 'id of a service model or of an artifact')
      .option('--devices <list>', 'numbers or parts of names, with commas between them; or auto')
      .option('--gpu-layers <number>', 'layers on the devices, 0 for none; or auto, as many as fit')
      .option('--split <how>', 'memory, the only choice: by the free memory of each device')
      .option('--draft <where>', 'cpu or auto: where the draft model computes')
      .option('--projector <where>', 'cpu or auto: where images are read');
  },
  async run({ connect, output }, { args: [model = ''], options }) {
    const change = changeOf(options);
    const client = await connect();
    const placement = await client.place({ model, ...change });
    const isChanged = Object.keys(change).length > 0;
    output.result({ schema: 'placement/1', ...placement }, () => placementText(placement, isChanged));
  },
});

function changeOf({ devices, gpuLayers, split, draft, projector }: Options): Omit<PlaceRequest, 'model'> {
  return {
    ...(devices !== undefined && { devices: orAuto(devices, (text) => text.split(',')) }),
    ...(gpuLayers !== undefined && { gpu_layers: orAuto(gpuLayers, layersOf) }),
    ...(split !== undefined && { split }),
    ...(draft !== undefined && { draft: orAuto(draft, (text) => processor('--draft', text)) }),
    ...(projector !== undefined && {
      projector: orAuto(projector, (text) => processor('--projector', text)),
    }),
  };
}

function orAuto<Value>(text: string, parse: (text: string) => Value): Value | 'auto' {
  return text.trim() === 'auto' ? 'auto' : parse(text);
}

function layersOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Failure('invalid_value', `--gpu-layers takes a number or auto, not ${JSON.stringify(text)}.`);
}

/** Model, draft model and projector share one process, which sees the devices of the model. */
function processor(option: string, text: string): 'cpu' {
  if (text === 'cpu') return text;
  throw new Failure(
    'invalid_value',
    `${option} takes cpu or auto, not ${JSON.stringify(text)}: on cards it goes to those of its model.`,
  );
}

function placementText(placement: Placement, isChanged: boolean): string {
  const { devices, gpu_layers: gpuLayers, layers, draft, projector } = placement;
  const of = layers === null ? '' : ` of ${layers}`;
  const fields = renderFields([
    ['model', placement.model],
    ['devices', devices?.map(({ backend, name }) => `${backend} ${name}`).join(', ') ?? 'auto'],
    ['layers on them', gpuLayers === null ? `auto${of}` : `${gpuLayers}${of}`],
    ...(draft === null ? [] : [['draft model', draft] as const]),
    ...(projector === null ? [] : [['projector', projector] as const]),
  ]);
  const isWaiting = isChanged && placement.is_loaded;
  return isWaiting
    ? `${fields}\nIt is still in memory where it was; the next request loads it again.`
    : fields;
}
