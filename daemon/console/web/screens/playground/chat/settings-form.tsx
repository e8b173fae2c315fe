import type { Message } from './use-chat.ts';

/** Numbers as typed: empty leaves the model's own value. */
export type ChatSettings = {
  model: string;
  system: string;
  temperature: string;
  top_p: string;
  max_tokens: string;
  seed: string;
};

export const DEFAULTS: ChatSettings = {
  model: 'svc-chat-v1',
  system: '',
  temperature: '',
  top_p: '',
  max_tokens: '',
  seed: '',
};

const NUMBERS = [
  { name: 'temperature', label: 'Temperature', min: 0, max: 2, step: 0.1 },
  { name: 'top_p', label: 'Top p', min: 0, max: 1, step: 0.05 },
  { name: 'max_tokens', label: 'Tokens at most', min: 1, max: undefined, step: 1 },
  { name: 'seed', label: 'Seed', min: 0, max: undefined, step: 1 },
] as const;

export function toBody(settings: ChatSettings, messages: readonly Message[]): object {
  const { model, system } = settings;
  const given = NUMBERS.filter(({ name }) => settings[name] !== '');
  return {
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages],
    ...Object.fromEntries(given.map(({ name }) => [name, Number(settings[name])])),
    stream: true,
    stream_options: { include_usage: true },
  };
}

type Props = {
  settings: ChatSettings;
  models: readonly string[];
  onChange: (settings: ChatSettings) => void;
};

export function SettingsForm({ settings, models, onChange }: Props) {
  const set = (name: keyof ChatSettings) => (event: { target: { value: string } }) =>
    onChange({ ...settings, [name]: event.target.value });
  return (
    <>
      <label className="field">
        <span className="label">Model</span>
        <select value={settings.model} onChange={set('model')}>
          {[...new Set([settings.model, ...models])].map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">System message</span>
        <textarea rows={3} value={settings.system} onChange={set('system')} />
      </label>
      <div className="pair">
        {NUMBERS.map(({ name, label, ...bounds }) => (
          <label key={name} className="field">
            <span className="small">{label}</span>
            <input
              type="number"
              {...bounds}
              value={settings[name]}
              placeholder="default"
              onChange={set(name)}
            />
          </label>
        ))}
      </div>
    </>
  );
}
