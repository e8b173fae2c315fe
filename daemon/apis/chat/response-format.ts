import type { ChatCompletionRequest } from '../../../src/api/chat/chat.ts';
import type { AnswerFormat, JsonSchema } from '../../../src/runtime/engine.ts';
import { invalid, required } from '../../http/required.ts';

type Body = Pick<
  ChatCompletionRequest,
  | 'response_format'
  | 'grammar'
  | 'json_schema'
  | 'guided_json'
  | 'guided_grammar'
  | 'guided_choice'
  | 'structured_outputs'
>;

/** The response format. It may be given in only one way. */
export function readFormat(body: Body): AnswerFormat | undefined {
  const { structured_outputs: structured = {} } = body;
  const formats: [string, AnswerFormat | undefined][] = [
    ['response_format', toFormat(body.response_format)],
    ['grammar', grammar(body.grammar)],
    ['guided_grammar', grammar(body.guided_grammar)],
    ['structured_outputs.grammar', grammar(structured.grammar)],
    ['json_schema', schema(body.json_schema)],
    ['guided_json', schema(body.guided_json, 'guided_json')],
    ['structured_outputs.json', schema(structured.json, 'structured_outputs.json')],
    ['guided_choice', choice(body.guided_choice)],
    ['structured_outputs.choice', choice(structured.choice)],
  ];
  const [first, second] = formats.filter(([, format]) => format !== undefined);
  if (first && second) throw invalid(second[0], `Give "${first[0]}" or "${second[0]}", not both.`);
  return first?.[1];
}

function toFormat(format: ChatCompletionRequest['response_format']): AnswerFormat | undefined {
  if (format?.schema !== undefined && format.type !== 'json_object')
    throw invalid('response_format.schema', '"schema" needs "type": "json_object".');
  if (format?.json_schema && format.type !== 'json_schema')
    throw invalid('response_format.json_schema', '"json_schema" needs "type": "json_schema".');
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_schema')
    return schema(required(format.json_schema, 'response_format.json_schema').schema);
  return format.schema === undefined ? { type: 'json' } : schema(format.schema);
}

/** vLLM also accepts a schema as a string. */
function schema(given: unknown, param = ''): AnswerFormat | undefined {
  if (given === undefined) return undefined;
  return { type: 'schema', schema: (typeof given === 'string' ? parsed(given, param) : given) as JsonSchema };
}

function parsed(text: string, param: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(param, `"${param}" is not valid JSON.`);
  }
}

function grammar(text: string | undefined): AnswerFormat | undefined {
  return text === undefined ? undefined : { type: 'grammar', grammar: text };
}

/** The answer is exactly one of these texts. */
function choice(texts: readonly string[] | undefined): AnswerFormat | undefined {
  if (texts === undefined) return undefined;
  return { type: 'grammar', grammar: `root ::= ${texts.map(literal).join(' | ')}` };
}

function literal(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${escaped}"`;
}
