import { IMAGE_SEED_MAX, IMAGE_SIZES, IMAGE_STEPS_MAX } from '../../../../../../src/api/account/limits.ts';
import type { ImageEvent } from '../../../../../../src/api/tasks/images.ts';
import { answerEvents } from '../form/answer-events.ts';
import { ChoiceField, NumberField, TextField } from '../form/fields.tsx';
import { ServiceForm } from '../form/service-form.tsx';
import { numberOf } from '../form/texts.ts';
import { useRemembered } from '../form/use-remembered.ts';
import { useRun, type Tools } from '../form/use-run.ts';
import { add, BLANK, releaseAll, type Drawing } from './drawing.ts';
import { Pictures } from './pictures.tsx';
import './images.css';

const PATH = '/v1/images/generations';
const EMPTY = {
  ...{ model: 'svc-image-v1', prompt: '', negative: '', size: '512x512', steps: '', seed: '' },
  ...{ count: '1', previews: '0', format: 'png' },
};
type Fields = typeof EMPTY;
type SetFields = (part: Partial<Fields>) => void;

const EXAMPLES: Readonly<Record<string, string>> = {
  'A lighthouse': 'A lighthouse on a cliff at dawn, soft light, oil painting',
  'A robot': 'A small friendly robot that waters plants in a greenhouse, detailed illustration',
};

export function Images() {
  const [fields, change] = useRemembered<Fields>('images', EMPTY);
  const { run, start, stop } = useRun<Drawing>('images');
  const set: SetFields = (part) => change((all) => ({ ...all, ...part }));
  const draw = (wanted: Fields) => {
    releaseAll(run.answer);
    return start((tools) => drawAll(wanted, tools));
  };
  return (
    <ServiceForm
      name="Images"
      categories={['image']}
      model={fields.model}
      onModel={(model) => set({ model })}
      action="Generate"
      isReady={fields.prompt.trim() !== ''}
      run={run}
      onRun={() => void draw(fields)}
      onStop={stop}
      examples={Object.entries(EXAMPLES).map(([name, prompt]) => ({
        name,
        run: () => {
          change(() => ({ ...fields, prompt }));
          void draw({ ...fields, prompt });
        },
      }))}
      request={{ path: PATH, body: toBody(fields) }}
      settings={<Settings fields={fields} set={set} />}
      result={
        run.answer && (
          <Pictures
            drawing={run.answer}
            isBusy={run.state === 'running'}
            prompt={fields.prompt}
            onRepeat={(seed) => set({ seed: String(seed), count: '1' })}
          />
        )
      }
    >
      <TextField label="Prompt" value={fields.prompt} onChange={(prompt) => set({ prompt })} rows={3} />
      <TextField
        label="What it should not show"
        value={fields.negative}
        onChange={(negative) => set({ negative })}
        rows={2}
      />
    </ServiceForm>
  );
}

/** The API generates one image per request. With a seed, the next images get the next seeds. */
async function drawAll(fields: Fields, { send, show }: Tools<Drawing>): Promise<void> {
  const seed = numberOf(fields.seed);
  for (let index = 0; index < Number(fields.count); index++) {
    const body = {
      ...toBody(fields),
      ...(seed !== undefined && { seed: (seed + index) % (IMAGE_SEED_MAX + 1) }),
      ...{ stream: true, response_format: 'b64_json', partial_images: Number(fields.previews) },
    };
    for await (const event of answerEvents<ImageEvent>(await send(PATH, body))) {
      show((drawing = BLANK) => add(drawing, event));
    }
  }
}

function Settings({ fields, set }: { fields: Fields; set: SetFields }) {
  return (
    <>
      <ChoiceField
        label="Size"
        value={fields.size}
        options={['auto', ...[...IMAGE_SIZES].reverse()]}
        onChange={(size) => set({ size })}
      />
      <NumberField
        label="Steps"
        value={fields.steps}
        onChange={(steps) => set({ steps })}
        min={1}
        max={IMAGE_STEPS_MAX}
      />
      <NumberField
        label="Seed"
        value={fields.seed}
        onChange={(seed) => set({ seed })}
        min={0}
        max={IMAGE_SEED_MAX}
        placeholder="random"
      />
      <div className="pair">
        <ChoiceField
          label="How many"
          value={fields.count}
          options={['1', '2', '3', '4']}
          onChange={(count) => set({ count })}
        />
        <ChoiceField
          label="Previews"
          value={fields.previews}
          options={['0', '1', '2', '3']}
          onChange={(previews) => set({ previews })}
        />
      </div>
      <ChoiceField
        label="Format"
        value={fields.format}
        options={['png', 'jpeg', 'webp']}
        onChange={(format) => set({ format })}
      />
    </>
  );
}

function toBody({ model, prompt, negative, size, steps, seed, format }: Fields) {
  return {
    ...{ model, prompt, size, output_format: format },
    negative_prompt: negative.trim() === '' ? undefined : negative,
    steps: numberOf(steps),
    seed: numberOf(seed),
  };
}
