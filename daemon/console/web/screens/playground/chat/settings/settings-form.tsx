import { CHOICES, MAIN_NUMBERS, REASONING_TOKENS, SAMPLING_NUMBERS, type NumberControl } from './controls.ts';
import { JsonField, NumberField, Section, SelectField, TextField } from './fields.tsx';
import { FormatFields } from './format-fields.tsx';
import type { ChatSettings, FormProps } from './settings.ts';
import { ToolFields } from './tool-fields.tsx';

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'];
const ALTERNATIVES = [0, 1, 2, 3, 5, 10, 20];

export function SettingsForm({ settings, problems, onChange }: FormProps) {
  const set = (part: Partial<ChatSettings>) => onChange({ ...settings, ...part });
  const props = { settings, problems, onChange };
  return (
    <div className="settings">
      <TextField
        label="System message"
        hint="How the model should answer. It comes before every message."
        value={settings.system}
        problem={problems['system']}
        onChange={(system) => set({ system })}
      />
      <Numbers {...props} controls={MAIN_NUMBERS} />
      <Reasoning {...props} />
      <FormatFields {...props} />
      <ToolFields {...props} />
      <Sampling {...props} />
      <Output {...props} />
    </div>
  );
}

export function Numbers({
  settings,
  problems,
  onChange,
  controls,
}: FormProps & { controls: readonly NumberControl[] }) {
  return (
    <div className="pair">
      {controls.map((control) => (
        <NumberField
          key={control.name}
          control={control}
          value={settings.numbers[control.name] ?? ''}
          problem={problems[control.name]}
          onChange={(value) =>
            onChange({ ...settings, numbers: { ...settings.numbers, [control.name]: value } })
          }
        />
      ))}
    </div>
  );
}

function Reasoning(props: FormProps) {
  const { settings, problems, onChange } = props;
  return (
    <>
      <SelectField
        label="Reasoning"
        hint="How long a reasoning model thinks before it answers."
        value={settings.effort}
        problem={problems['reasoning_effort'] ?? problems['reasoning']}
        options={[
          { value: '', label: 'as the model does by default' },
          ...EFFORTS.map((value) => ({ value, label: value })),
        ]}
        onChange={(effort) => onChange({ ...settings, effort })}
      />
      {settings.effort !== '' && settings.effort !== 'none' && (
        <Numbers {...props} controls={[REASONING_TOKENS]} />
      )}
    </>
  );
}

export function Sampling(props: FormProps) {
  const { settings, problems, onChange } = props;
  const names = SAMPLING_NUMBERS.map(({ name }) => name as string);
  const changed = names.filter((name) => (settings.numbers[name] ?? '') !== '').length;
  const isStopped = settings.stop !== '';
  const count = changed + Number(isStopped) + Number(settings.logitBias !== '');
  return (
    <Section
      title="Sampling and penalties"
      note={count > 0 ? `${count} set` : undefined}
      hasProblem={[...names, 'stop', 'logit_bias'].some((name) => problems[name])}
    >
      <Numbers {...props} controls={SAMPLING_NUMBERS} />
      <TextField
        label="Stop sequences"
        hint="The answer ends before any of them. One per line."
        rows={2}
        value={settings.stop}
        problem={problems['stop']}
        onChange={(stop) => onChange({ ...settings, stop })}
      />
      <JsonField
        label="Logit bias"
        hint="Token id → −100 (never) to 100 (always)."
        rows={3}
        examples={{ Example: { '1': -100 } }}
        value={settings.logitBias}
        problem={problems['logit_bias']}
        onChange={(logitBias) => onChange({ ...settings, logitBias })}
      />
    </Section>
  );
}

function Output(props: FormProps) {
  const { settings, problems, onChange } = props;
  const { numbers, alternatives, templateArguments } = settings;
  const count = [numbers['n'], alternatives, templateArguments].filter(Boolean).length;
  return (
    <Section
      title="Probabilities, several answers, template"
      note={count > 0 ? `${count} set` : undefined}
      hasProblem={['n', 'logprobs', 'top_logprobs', 'chat_template_kwargs'].some((name) => problems[name])}
    >
      <SelectField
        label="Token probabilities"
        hint="Shown by “Tokens” below an answer."
        value={alternatives}
        problem={problems['logprobs'] ?? problems['top_logprobs']}
        options={[
          { value: '', label: 'off' },
          ...ALTERNATIVES.map((count) => ({ value: String(count), label: `${count} alternatives` })),
        ]}
        onChange={(value) => onChange({ ...settings, alternatives: value })}
      />
      <Numbers {...props} controls={[CHOICES]} />
      <JsonField
        label="Template variables"
        hint='For the chat template of the model, such as { "enable_thinking": false }.'
        rows={3}
        examples={{ Example: { enable_thinking: false } }}
        value={templateArguments}
        problem={problems['chat_template_kwargs']}
        onChange={(text) => onChange({ ...settings, templateArguments: text })}
      />
    </Section>
  );
}
