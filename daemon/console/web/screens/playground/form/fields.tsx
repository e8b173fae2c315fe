import { useId, type ReactNode } from 'react';

type Props<Value> = { label: string; value: Value; onChange: (value: Value) => void; hint?: string };

type FieldProps = {
  label: string;
  hint: string | undefined;
  /** Receives the id of the field's description, if there is one. */
  children: (description: { 'aria-describedby'?: string }) => ReactNode;
};

function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const field = (
    <label className="field">
      <span className="label">{label}</span>
      {children(hint === undefined ? {} : { 'aria-describedby': id })}
    </label>
  );
  if (hint === undefined) return field;
  return (
    <div className="field">
      {field}
      <span id={id} className="quiet small">
        {hint}
      </span>
    </div>
  );
}

type InputProps = Props<string> & { placeholder?: string; list?: string };

export function InputField({ label, hint, onChange, ...rest }: InputProps) {
  return (
    <Field label={label} hint={hint}>
      {(description) => (
        <input {...rest} {...description} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

type TextProps = Props<string> & { rows?: number; placeholder?: string; maxLength?: number };

export function TextField({ label, hint, onChange, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint}>
      {(description) => (
        <textarea rows={6} {...rest} {...description} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

type NumberProps = Props<string> & { min?: number; max?: number; step?: number; placeholder?: string };

/** As typed: if empty, the daemon decides. */
export function NumberField({ label, hint, onChange, ...rest }: NumberProps) {
  return (
    <Field label={label} hint={hint}>
      {(description) => (
        <input
          type="number"
          placeholder="default"
          {...rest}
          {...description}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

type ChoiceProps = Props<string> & { options: readonly (string | readonly [value: string, text: string])[] };

export function ChoiceField({ label, hint, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label} hint={hint}>
      {(description) => (
        <select value={value} {...description} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => {
            const [name, text] = typeof option === 'string' ? [option, option] : option;
            return (
              <option key={name} value={name}>
                {text}
              </option>
            );
          })}
        </select>
      )}
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
