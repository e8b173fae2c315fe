import type { TranslateResult } from '../../../../../../src/api/tasks/translate.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { TextField } from '../form/fields.tsx';
import { LanguageField } from '../form/language-field.tsx';
import { ServiceForm } from '../form/service-form.tsx';
import { useRemembered } from '../form/use-remembered.ts';
import { useRun } from '../form/use-run.ts';
import './translation.css';

const PATH = '/v1/translate';
const EMPTY = { model: 'svc-translate-v1', text: '', source: '', target: 'French' };
type Fields = typeof EMPTY;
type Answer = { text: string };

const EXAMPLES: Readonly<Record<string, Partial<Fields>>> = {
  'A greeting': { text: 'Good morning! How are you today?', source: '', target: 'French' },
  'With placeholders and a list': {
    text: 'Dear {name},\n\n- Your order **{order}** is on its way.\n- Track it at https://shop.example/track',
    source: 'English',
    target: 'German',
  },
};

export function Translation() {
  const [fields, change] = useRemembered<Fields>('translation', EMPTY);
  const { run, start, stop } = useRun<Answer>('translation');
  const set = (part: Partial<Fields>) => change((all) => ({ ...all, ...part }));
  const translate = (wanted: Fields) =>
    start(async ({ send, show }) => {
      const answer = (await (await send(PATH, toBody(wanted))).json()) as TranslateResult;
      show(() => ({ text: answer.translated_text }));
    });
  return (
    <ServiceForm
      name="Translation"
      categories={['translation', 'chat']}
      model={fields.model}
      onModel={(model) => set({ model })}
      action="Translate"
      isReady={fields.text.trim() !== '' && fields.target.trim() !== ''}
      run={run}
      onRun={() => void translate(fields)}
      onStop={stop}
      examples={Object.entries(EXAMPLES).map(([name, example]) => ({
        name,
        run: () => {
          const next = { ...fields, ...example };
          change(() => next);
          void translate(next);
        },
      }))}
      request={{ path: PATH, body: toBody(fields) }}
    >
      <Sides fields={fields} set={set} translated={run.answer?.text ?? ''} isBusy={run.state === 'running'} />
    </ServiceForm>
  );
}

type SidesProps = {
  fields: Fields;
  set: (part: Partial<Fields>) => void;
  translated: string;
  isBusy: boolean;
};

function Sides({ fields, set, translated, isBusy }: SidesProps) {
  const { text, source, target } = fields;
  const swap = () => set({ source: target, target: source || 'English', text: translated || text });
  return (
    <div className="sides">
      <div className="side">
        <LanguageField label="From" value={source} onChange={(value) => set({ source: value })} />
        <TextField label="Text" value={text} onChange={(value) => set({ text: value })} rows={7} />
      </div>
      <button type="button" className="swap square" onClick={swap}>
        <span aria-hidden="true">⇄</span>
        <span className="hidden">Swap the languages</span>
      </button>
      <div className="side">
        <LanguageField
          label="To"
          placeholder="A name or a code: French, fr, fr-CA"
          value={target}
          onChange={(value) => set({ target: value })}
        />
        <div className="field">
          <span className="label" id="translated">
            Translation
          </span>
          <output aria-labelledby="translated" aria-busy={isBusy}>
            {translated}
          </output>
        </div>
        {translated !== '' && (
          <div className="row">
            <CopyButton text={translated} label="Copy translation" />
          </div>
        )}
      </div>
    </div>
  );
}

function toBody({ model, text, source, target }: Fields) {
  return {
    model,
    text,
    source_language: source.trim() === '' ? undefined : source.trim(),
    target_language: target.trim(),
  };
}
