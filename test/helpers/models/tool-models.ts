import { RESULT_MARK } from '../../../scripts/fixtures/scripted-model.ts';
import { scriptedModel } from './models.ts';

const open = (role: string) => `'<|im_start|>${role}\\n'`;
const CLOSE = "'<|im_end|>\\n'";
const MARK = `{% if messages[-1].role == 'tool' %}{{ '${RESULT_MARK}' }}{% endif %}`;

function template(call: string, tools = '{{ tools | tojson }}', extra = ''): string {
  return (
    `{% if tools %}{{ ${open('system')} }}${tools}{{ ${CLOSE} }}{% endif %}` +
    `{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}{% if m.content %}{{ m.content }}{% endif %}` +
    `{% if m.tool_calls %}${call}{% endif %}{{ ${CLOSE} }}{% endfor %}` +
    `{% if add_generation_prompt %}{{ ${open('assistant')} }}${extra}${MARK}{% endif %}`
  );
}

/** Templates that write calls as widely used models do. */
export const TOOL_TEMPLATES = {
  hermes: template(
    `{% for c in m.tool_calls %}{{ '\\n<tool_call>\\n{"name": "' + c.function.name + '", "arguments": ' }}{{ c.function.arguments | tojson }}{{ '}\\n</tool_call>' }}{% endfor %}`,
  ),
  json: template(
    `{% if m.tool_calls | length > 1 %}{{ raise_exception('one call at a time') }}{% endif %}{% for c in m.tool_calls %}{{ '{"name": "' + c.function.name + '", "parameters": ' }}{{ c.function.arguments | tojson }}{{ '}' }}{% endfor %}`,
  ),
  list: template(
    `{{ '[TOOL_CALLS] [' }}{% for c in m.tool_calls %}{{ '{"name": "' + c.function.name + '", "arguments": ' }}{{ c.function.arguments | tojson }}{{ ', "id": "' + c.id + '"}' }}{% if not loop.last %}{{ ', ' }}{% endif %}{% endfor %}{{ ']' }}`,
  ),
  bare: template(
    `{% for c in m.tool_calls %}{{ '[TOOL_CALLS]' + c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}`,
  ),
  tagged: template(
    `{% for c in m.tool_calls %}{{ '\\n<tool_call>\\n<function=' + c.function.name + '>\\n' }}` +
      `{% for key, value in c.function.arguments | items %}{{ '<parameter=' + key + '>\\n' }}` +
      `{{ value | tojson if value is mapping or (value is sequence and value is not string) else value | string }}` +
      `{{ '\\n</parameter>\\n' }}{% endfor %}{{ '</function>\\n</tool_call>' }}{% endfor %}`,
  ),
  paired: template(
    `{% for c in m.tool_calls %}{{ '\\n<tool_call>' + c.function.name }}` +
      `{% for key, value in c.function.arguments | items %}{{ '\\n<arg_key>' + key + '</arg_key>\\n<arg_value>' }}` +
      `{{ value | tojson if value is not string else value }}{{ '</arg_value>' }}{% endfor %}{{ '\\n</tool_call>' }}{% endfor %}`,
  ),
} as const;

export const WEATHER_CALL =
  '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Zürich", "days": 3}}\n</tool_call>';
export const WEATHER_ARGUMENTS = { city: 'Zürich', days: 3 };
export const WEATHER_ANSWER = 'It will be sunny in Zürich.';

/** Calls a tool, and answers with the weather once it has the result. */
export function weatherModel(options: { says?: string } = {}) {
  const { says = WEATHER_CALL } = options;
  return scriptedModel(says, { chatTemplate: TOOL_TEMPLATES.hermes, afterResult: WEATHER_ANSWER });
}

/** Reasons before it answers or not, as its template requests. */
export const THINKING_TEMPLATE = template(
  '',
  '',
  `{% if enable_thinking is defined and not enable_thinking %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}`,
);
