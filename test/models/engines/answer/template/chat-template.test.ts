import { expect, test } from 'vitest';
import { createChatTemplate } from '../../../../../models/engines/answer/template/chat-template.ts';
import {
  toTemplateMessages,
  type TemplateMessage,
} from '../../../../../models/engines/answer/template/template-messages.ts';

const compile = (source: string | undefined) =>
  createChatTemplate({ source, bosToken: '<s>', eosToken: '</s>' });
const EACH = '{% for m in messages %}{{ m.role }}:{{ m.content }}{{ eos_token }}{% endfor %}';
const NO_SYSTEM =
  "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" +
  EACH;
const DROPS_SYSTEM =
  "{% for m in messages %}{% if m.role != 'system' %}{{ m.content }}{% endif %}{% endfor %}";
const ALTERNATES =
  "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate') }}{% endif %}{{ m.content }}{% endfor %}";

const hello: TemplateMessage = { role: 'user', content: 'Hello' };
const rules: TemplateMessage = { role: 'system', content: 'Be kind.' };

test('renders with the tokens, the generation prompt and the clock that templates expect', () => {
  const template = compile(
    "{{ bos_token }}{{ strftime_now('%Y') }} " + EACH + '{% if add_generation_prompt %}assistant:{% endif %}',
  );
  const year = new Date().getFullYear();
  expect(template.render({ messages: [rules, hello] })).toBe(
    `<s>${year} system:Be kind.</s>user:Hello</s>assistant:`,
  );
});

test.each([
  ['no template', undefined, /no tokenizer\.chat_template/],
  ['one that is no template', '{% for m in %}', /not valid/],
  ['one that always fails', "{{ raise_exception('out of order') }}", /out of order/],
  ['one that calls what does not exist', '{{ messages | frobnicate }}', /fails/],
  ['one that ignores the user', 'Hello!', /drops/],
])('a file with %s is refused', (_, source, message) => {
  expect(() => compile(source)).toThrow(
    expect.objectContaining({
      code: 'invalid_model_file',
      message: expect.stringMatching(message) as string,
    }),
  );
});

test.each([
  ['refuses', NO_SYSTEM],
  ['drops', DROPS_SYSTEM],
])('the system prompt is put before the first user message where a template %s its role', (_, source) => {
  const rendered = compile(source).render({ messages: [rules, hello] });
  expect(rendered).toContain('Be kind.\n\nHello');
});

test('several system messages become one if a template takes only the first', () => {
  const strict =
    "{% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('System first') }}{% endif %}{{ m.role }}:{{ m.content }};{% endfor %}";
  const messages: TemplateMessage[] = [rules, hello, { role: 'system', content: 'Be brief.' }, hello];
  expect(compile(strict).render({ messages })).toBe('system:Be kind.\n\nBe brief.;user:Hello;user:Hello;');
});

test('variables of a template can be set', () => {
  const template = compile(EACH + "{{ style | default('plain') }}");
  expect(template.render({ messages: [hello] })).toMatch(/plain$/);
  expect(template.render({ messages: [hello], arguments: { style: 'bold' } })).toMatch(/bold$/);
});

test('names of speakers are rendered if the template has a place for them', () => {
  const template = compile('{% for m in messages %}{{ m.name or m.role }}: {{ m.content }}\n{% endfor %}');
  const messages = toTemplateMessages([
    { role: 'user', name: 'Ann', content: 'Hello' },
    { role: 'assistant', name: 'Bo', content: 'Hi' },
    { role: 'user', content: 'And?' },
  ]);
  expect(template.render({ messages })).toBe('Ann: Hello\nBo: Hi\nuser: And?\n');
});

test('the highest effort maps to the highest that templates know', () => {
  const template = compile(EACH + '{{ reasoning_effort }}');
  expect(template.render({ messages: [hello], reasoning: { effort: 'xhigh' } })).toMatch(/high$/);
  expect(template.render({ messages: [hello], reasoning: { effort: 'xhigh' } })).not.toMatch(/xhigh$/);
});

test("the template's own error reaches the caller", () => {
  expect(() => compile(ALTERNATES).render({ messages: [hello, hello] })).toThrow(
    expect.objectContaining({
      code: 'invalid_value',
      param: 'messages',
      message: expect.stringContaining('Roles must alternate') as string,
    }),
  );
});
