import { useChatModels } from '../../playground/chat/models.ts';
import { CheckField, ChoiceField, NumberField, TextField } from '../../playground/form/fields.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { useCollections } from '../data.ts';
import { HINTS, MODES, NUMBERS, type NumberName, type Options, type Problems } from './options.ts';

type Props = { options: Options; problems: Problems; onChange: (options: Options) => void };

export function OptionsForm(props: Props) {
  const { options, onChange } = props;
  const { models, error } = useChatModels();
  const set = (part: Partial<Options>) => onChange({ ...options, ...part });
  // Keeps what prevents the question from being asked in view.
  const hasWrongLimit = (Object.keys(NUMBERS) as NumberName[]).some((name) => props.problems[name]);
  const names = [...new Set([options.model, ...models.map(({ id }) => id)])];
  return (
    <div className="ask-options">
      <Problem error={error} />
      <ChoiceField
        label="Mode"
        value={options.mode}
        hint={HINTS[options.mode]}
        options={MODES}
        onChange={(mode) => set({ mode: mode as Options['mode'] })}
      />
      <ChoiceField
        label="Model"
        hint="A larger model chooses better searches and finds more."
        value={options.model}
        options={names}
        onChange={(model) => set({ model })}
      />
      {options.mode !== 'chat' && <Sources {...props} />}
      <details {...(hasWrongLimit && { open: true })}>
        <summary>Limits</summary>
        <div className="ask-options">
          {(Object.keys(NUMBERS) as NumberName[]).map((name) => (
            <LimitField key={name} {...props} name={name} />
          ))}
        </div>
      </details>
    </div>
  );
}

function Sources({ options, problems, onChange }: Props) {
  const { data: collections = [], error } = useCollections();
  const set = (part: Partial<Options>) => onChange({ ...options, ...part });
  // A collection that was removed in the meantime stays visible until it is deselected.
  const names = [...new Set([...collections.map(({ name }) => name), ...options.docs])];
  const toggle = (name: string, isChosen: boolean) =>
    set({ docs: isChosen ? [...options.docs, name] : options.docs.filter((each) => each !== name) });
  return (
    <>
      <fieldset>
        <legend>Sources</legend>
        <CheckField
          label="The web, if a search engine is set up"
          value={options.useWeb}
          onChange={(useWeb) => set({ useWeb })}
        />
        {names.map((name) => (
          <CheckField
            key={name}
            label={`Documents: ${name}`}
            value={options.docs.includes(name)}
            onChange={(isChosen) => toggle(name, isChosen)}
          />
        ))}
        <Problem error={error} />
        {names.length > 0 && (
          <span className="quiet small">
            {options.docs.length === 0
              ? 'No collection is chosen, so all documents are searched.'
              : 'Only the chosen collections are searched.'}
          </span>
        )}
        <Wrong text={problems.docs} />
      </fieldset>
      <div className="field">
        <TextField
          label="Pages to read first"
          hint="URLs, one per line. They are read even without a web search."
          rows={2}
          value={options.urls}
          placeholder="https://example.com/changes"
          onChange={(urls) => set({ urls })}
        />
        <Wrong text={problems.urls} />
      </div>
    </>
  );
}

function LimitField({ name, options, problems, onChange }: Props & { name: NumberName }) {
  const { label, hint, min, max } = NUMBERS[name];
  return (
    <div className="field">
      <NumberField
        label={label}
        hint={hint}
        min={min}
        {...(max !== undefined && { max })}
        value={options[name]}
        onChange={(value) => onChange({ ...options, [name]: value })}
      />
      <Wrong text={problems[name]} />
    </div>
  );
}

function Wrong({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <span className="small wrong" role="alert">
      {text}
    </span>
  );
}
