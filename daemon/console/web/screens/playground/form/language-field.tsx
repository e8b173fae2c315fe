import { useId } from 'react';
import { InputField } from './fields.tsx';
import { LANGUAGE_NAMES } from './languages.ts';

type Props = { label: string; value: string; onChange: (value: string) => void; placeholder?: string };

/** Suggests languages, and accepts any name or code that the daemon knows. */
export function LanguageField({ label, value, onChange, placeholder = 'Detected' }: Props) {
  const list = useId();
  return (
    <>
      <InputField label={label} value={value} onChange={onChange} placeholder={placeholder} list={list} />
      <datalist id={list}>
        {LANGUAGE_NAMES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
