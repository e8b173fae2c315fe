import type { EmbeddingResult } from '../../../../../../src/api/tasks/embeddings.ts';
import { NumberField, TextField } from '../form/fields.tsx';
import { ServiceForm } from '../form/service-form.tsx';
import { numberOf, textsOf } from '../form/texts.ts';
import { useRemembered } from '../form/use-remembered.ts';
import { useRun } from '../form/use-run.ts';
import { VectorsView, type Embedded } from './vectors-view.tsx';
import './embeddings.css';

const PATH = '/v1/embeddings';
const EMPTY = { model: 'svc-embed-v1', texts: '', dimensions: '' };
type Fields = typeof EMPTY;

const EXAMPLES: Readonly<Record<string, string>> = {
  'Three topics': `The cat sleeps on the sofa.
A kitten is napping on the couch.
The stock market fell sharply today.
Shares lost value in heavy trading.
Bring the soup to a boil and add salt.`,
  'Across languages': `Where is the train station?
Où est la gare ?
Wo ist der Bahnhof?
I would like a cup of coffee.`,
};

export function Embeddings() {
  const [fields, change] = useRemembered<Fields>('embeddings', EMPTY);
  const { run, start, stop } = useRun<Embedded>('embeddings');
  const set = (name: keyof Fields) => (value: string) => change((all) => ({ ...all, [name]: value }));
  const embed = (wanted: Fields) =>
    start(async ({ send, show }) => {
      const { data } = (await (await send(PATH, toBody(wanted))).json()) as EmbeddingResult;
      const vectors = data.map(({ embedding }) => embedding as number[]);
      show(() => ({ texts: textsOf(wanted.texts), vectors }));
    });
  return (
    <ServiceForm
      name="Embeddings"
      categories={['embedding']}
      model={fields.model}
      onModel={set('model')}
      action="Embed"
      isReady={textsOf(fields.texts).length > 0}
      run={run}
      onRun={() => void embed(fields)}
      onStop={stop}
      examples={Object.entries(EXAMPLES).map(([name, texts]) => ({
        name,
        run: () => {
          const next = { ...fields, texts };
          change(() => next);
          void embed(next);
        },
      }))}
      request={{ path: PATH, body: toBody(fields) }}
      settings={
        <NumberField
          label="Dimensions"
          value={fields.dimensions}
          onChange={set('dimensions')}
          min={1}
          placeholder="all"
          hint="Only models trained for it can give fewer than all."
        />
      }
      result={run.answer && <VectorsView embedded={run.answer} />}
    >
      <TextField
        label="Texts, one per line"
        value={fields.texts}
        onChange={set('texts')}
        placeholder="Texts whose meaning is compared"
      />
    </ServiceForm>
  );
}

function toBody({ model, texts, dimensions }: Fields) {
  return { model, input: textsOf(texts), dimensions: numberOf(dimensions) };
}
