import type { ModerationResult } from '../../../../../../src/api/tasks/moderation.ts';
import { ChoiceField, TextField } from '../form/fields.tsx';
import { ServiceForm } from '../form/service-form.tsx';
import { SEPARATORS, textsOf, type Separator } from '../form/texts.ts';
import { useRemembered } from '../form/use-remembered.ts';
import { useRun } from '../form/use-run.ts';
import { toModerated, type ModeratedText } from './scores.ts';
import { ScoresView } from './scores-view.tsx';
import './moderation.css';

const PATH = '/v1/moderations';
const EMPTY = { model: 'svc-moderation-v1', texts: '', separator: 'line' as Separator };
type Fields = typeof EMPTY;

const EXAMPLES: Readonly<Record<string, string>> = {
  'A friendly text': 'Thank you so much for your help, have a great weekend!',
  'A threat': 'I know where you live, and I will hurt you and your family.',
  'Several texts': `You are a worthless idiot and everybody hates you.
The recipe needs two eggs and a cup of flour.
I want to kill them all.`,
};

export function Moderation() {
  const [fields, change] = useRemembered<Fields>('moderation', EMPTY);
  const { run, start, stop } = useRun<ModeratedText[]>('moderation');
  const set = (part: Partial<Fields>) => change((all) => ({ ...all, ...part }));
  const moderate = (wanted: Fields) =>
    start(async ({ send, show }) => {
      const result = (await (await send(PATH, toBody(wanted))).json()) as ModerationResult;
      show(() => toModerated(textsOf(wanted.texts, wanted.separator), result));
    });
  return (
    <ServiceForm
      name="Moderation"
      categories={['moderation']}
      model={fields.model}
      onModel={(model) => set({ model })}
      action="Check"
      isReady={textsOf(fields.texts, fields.separator).length > 0}
      run={run}
      onRun={() => void moderate(fields)}
      onStop={stop}
      examples={Object.entries(EXAMPLES).map(([name, texts]) => ({
        name,
        run: () => {
          const next: Fields = { ...fields, texts, separator: 'line' };
          change(() => next);
          void moderate(next);
        },
      }))}
      request={{ path: PATH, body: toBody(fields) }}
      settings={
        <ChoiceField
          label="Texts are"
          value={fields.separator}
          options={SEPARATORS}
          onChange={(separator) => set({ separator: separator as Separator })}
        />
      }
      result={run.answer && <ScoresView texts={run.answer} />}
    >
      <TextField
        label="Texts"
        value={fields.texts}
        onChange={(texts) => set({ texts })}
        placeholder="What somebody wrote"
      />
    </ServiceForm>
  );
}

function toBody({ model, texts, separator }: Fields) {
  return { model, input: textsOf(texts, separator) };
}
