type Props<Value extends string> = {
  label: string;
  value: Value;
  options: Readonly<Record<Value, string>>;
  onChange: (value: Value) => void;
};

/** A labelled list of which one is chosen. */
export function Choice<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  return (
    <label className="row">
      <span className="quiet small">{label}</span>
      <select className="inline" value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {(Object.entries(options) as [Value, string][]).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
