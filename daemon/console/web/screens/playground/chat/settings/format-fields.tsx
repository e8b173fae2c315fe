import { JsonField, Section, SelectField, TextField } from './fields.tsx';
import type { FormatKind, FormProps } from './settings.ts';
import { SCHEMA_EXAMPLES } from './schemas.ts';

const KINDS: readonly { value: FormatKind; label: string; hint: string }[] = [
  { value: 'text', label: 'text', hint: 'Whatever the model writes.' },
  { value: 'schema', label: 'JSON with a schema', hint: 'The answer always matches the schema.' },
  { value: 'json', label: 'JSON', hint: 'Any JSON object.' },
  { value: 'choice', label: 'one of these texts', hint: 'The answer is exactly one of them.' },
  { value: 'grammar', label: 'text with a grammar', hint: 'A GBNF grammar for the whole answer.' },
];
const PARAMETERS = ['response_format', 'structured_outputs', 'grammar'];

/** What an answer may look like. */
export function FormatFields({ settings, problems, onChange }: FormProps) {
  const { format, schema, allowed, grammar } = settings;
  const kind = KINDS.find(({ value }) => value === format);
  return (
    <Section
      title="Structured output"
      note={format === 'text' ? undefined : kind?.label}
      hasProblem={PARAMETERS.some((name) => problems[name])}
    >
      <SelectField
        label="Format of the answer"
        hint={kind?.hint}
        value={format}
        options={KINDS}
        onChange={(value) => onChange({ ...settings, format: value as FormatKind })}
      />
      {format === 'schema' && (
        <JsonField
          label="JSON schema"
          hint="Start from an example, or paste your own."
          rows={12}
          examples={SCHEMA_EXAMPLES}
          value={schema}
          problem={problems['response_format']}
          onChange={(text) => onChange({ ...settings, schema: text })}
        />
      )}
      {format === 'choice' && (
        <TextField
          label="Allowed answers"
          hint="One per line."
          value={allowed}
          problem={problems['structured_outputs']}
          onChange={(text) => onChange({ ...settings, allowed: text })}
        />
      )}
      {format === 'grammar' && (
        <TextField
          label="Grammar"
          hint="It starts at the rule root."
          isCode
          rows={6}
          value={grammar}
          problem={problems['grammar']}
          onChange={(text) => onChange({ ...settings, grammar: text })}
        />
      )}
    </Section>
  );
}
