import { JsonField, Section, SelectField } from './fields.tsx';
import type { FormProps } from './settings.ts';
import { nameOf, readTools, TOOL_EXAMPLES, toolChoiceOf } from './tools.ts';

const CHOICES = [
  { value: 'auto', label: 'the model decides' },
  { value: 'required', label: 'it must call one' },
  { value: 'none', label: 'it must not call any' },
];

/** The tools that the model may call. The person plays the tool: its results are typed in. */
export function ToolFields({ settings, problems, onChange }: FormProps) {
  const { tools } = readTools(settings.tools);
  const names = [...new Set(tools.map(nameOf))];
  return (
    <Section
      title="Tools"
      note={names.length > 0 ? `${names.length}` : undefined}
      hasProblem={['tools', 'tool_choice', 'parallel_tool_calls'].some((name) => problems[name])}
    >
      <JsonField
        label="Definitions"
        hint="A list, as in the request. When the model calls a tool, you type in the result."
        rows={10}
        examples={TOOL_EXAMPLES}
        value={settings.tools}
        problem={problems['tools']}
        onChange={(text) => onChange({ ...settings, tools: text })}
      />
      {names.length > 0 && (
        <>
          <SelectField
            label="Which tool"
            value={toolChoiceOf(settings.toolChoice, tools)}
            problem={problems['tool_choice']}
            options={[
              ...CHOICES,
              ...names.map((name) => ({ value: `=${name}`, label: `it must call ${name}` })),
            ]}
            onChange={(toolChoice) => onChange({ ...settings, toolChoice })}
          />
          <label className="row">
            <input
              type="checkbox"
              checked={settings.parallel}
              onChange={(event) => onChange({ ...settings, parallel: event.target.checked })}
            />
            Several calls at once
          </label>
        </>
      )}
    </Section>
  );
}
