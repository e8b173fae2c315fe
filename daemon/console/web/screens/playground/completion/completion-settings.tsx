import type { Model } from '../../../../../../src/api/management/models.ts';
import { RequestCode } from '../request-code.tsx';
import { ModelSelect } from '../chat/model-select.tsx';
import { CHOICES, MAIN_NUMBERS } from '../chat/settings/controls.ts';
import { SelectField } from '../chat/settings/fields.tsx';
import { FormatFields } from '../chat/settings/format-fields.tsx';
import { Numbers, Sampling } from '../chat/settings/settings-form.tsx';
import { DEFAULTS, problemsOf, type ChatSettings } from '../chat/settings/settings.ts';
import { refusalsOf } from '../chat/state/conversation.ts';
import { change, toCompletion, type Completing } from './state.ts';

const ALTERNATIVES = [0, 1, 2, 3, 4, 5];

type Props = { completing: Completing; models: readonly Model[] };

export function CompletionSettings({ completing, models }: Props) {
  const { settings, echo, answer } = completing;
  const set = (next: ChatSettings) => change((now) => ({ ...now, settings: next }));
  const problems = { ...(answer && refusalsOf([answer])), ...problemsOf(settings) };
  const props = { settings, problems, onChange: set };
  return (
    <aside className="card" aria-label="Settings">
      <div className="settings">
        <ModelSelect
          models={models}
          value={settings.model}
          onChange={(model) => set({ ...settings, model })}
        />
        <Numbers {...props} controls={[...MAIN_NUMBERS, CHOICES]} />
        <div className="field">
          <label className="row">
            <input
              type="checkbox"
              checked={echo}
              onChange={(event) => {
                const { checked } = event.target;
                change((now) => ({ ...now, echo: checked }));
              }}
            />
            Return the prompt before the completion
          </label>
          {problems['echo'] && (
            <p className="notes small wrong" role="alert">
              {problems['echo']}
            </p>
          )}
        </div>
        <SelectField
          label="Token probabilities"
          hint="Shown by “Tokens” below the completion."
          value={settings.alternatives}
          problem={problems['logprobs']}
          options={[
            { value: '', label: 'off' },
            ...ALTERNATIVES.map((count) => ({ value: String(count), label: `${count} alternatives` })),
          ]}
          onChange={(alternatives) => set({ ...settings, alternatives })}
        />
        <FormatFields {...props} />
        <Sampling {...props} />
      </div>
      <div className="row">
        <button type="button" onClick={() => set({ ...DEFAULTS, model: settings.model })}>
          Reset settings
        </button>
      </div>
      <RequestCode path="/v1/completions" body={toCompletion(completing)} />
    </aside>
  );
}
