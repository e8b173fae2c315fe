import type { ReactNode } from 'react';

type Props<Value> = { label: string; value: Value; onChange: (value: Value) => void; hint?: string };

export function Field({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      {children}
      {hint !== undefined && <span className="quiet small">{hint}</span>}
    </label>
  );
}

type TextProps = Props<string> & { rows?: number; placeholder?: string; maxLength?: number };

export function TextField({ label, hint, onChange, ...rest }: TextProps) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      <textarea rows={6} {...rest} onChange={(event) => onChange(event.target.value)} />
    </Field>
  );
}

type NumberProps = Props<string> & { min?: number; max?: number; step?: number; placeholder?: string };

/** As typed: empty leaves it to the daemon. */
export function NumberField({ label, hint, onChange, ...rest }: NumberProps) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      <input
        type="number"
        placeholder="default"
        {...rest}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

type ChoiceProps = Props<string> & { options: readonly (string | readonly [value: string, text: string])[] };

export function ChoiceField({ label, hint, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => {
          const [name, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option key={name} value={name}>
              {text}
            </option>
          );
        })}
      </select>
    </Field>
  );
}

export function CheckField({ label, value, onChange }: Props<boolean>) {
  return (
    <label className="row check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
