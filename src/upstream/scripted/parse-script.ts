import { Failure, isFailureCode, type FailureCode } from '../../base/errors.ts';
import { readYaml } from '../../config/yaml.ts';
import { findMistake, type Shape } from './shape.ts';

export type Rule = { when: Condition; answers: readonly Answer[]; line: number };

/** All given conditions must hold for the user's last message. */
export type Condition = {
  message?: string;
  contains?: string;
  matches?: string;
  /** Whether a tool's result follows that message; as a text, what the last result contains. */
  tool_result?: boolean | string;
};

export type Answer = {
  text?: string;
  reasoning?: string;
  tool_calls?: readonly { id?: string; name: string; arguments?: Record<string, unknown> }[];
  usage?: {
    prompt_tokens?: number;
    cached_tokens?: number;
    completion_tokens?: number;
    reasoning_tokens?: number;
  };
  error?: { code: FailureCode; message?: string; retry_after?: number };
};

const text: Shape = { is: ['string'] };
const count: Shape = { is: ['whole number'] };
const object: Shape = { is: ['object'] };
const usage = {
  prompt_tokens: count,
  cached_tokens: count,
  completion_tokens: count,
  reasoning_tokens: count,
};
const answer: Shape = {
  fields: {
    text,
    reasoning: text,
    tool_calls: { items: { fields: { id: text, name: text, arguments: object }, required: ['name'] } },
    usage: { fields: usage },
    error: { fields: { code: text, message: text, retry_after: count }, required: ['code'] },
  },
  notEmpty: true,
};
const when: Record<string, Shape> = {
  message: text,
  contains: text,
  matches: text,
  tool_result: { is: ['boolean', 'string'] },
};
const rule: Shape = {
  fields: { when: { fields: when }, answer, answers: { items: answer, notEmpty: true } },
};
const script: Shape = { fields: { rules: { items: rule } }, required: ['rules'] };

type Written = { rules: { when?: Condition; answer?: Answer; answers?: Answer[] }[] };

/** Each failure names the line. */
export function parseScript(source: string, path: string): Rule[] {
  const fail = (line: number, what: string) =>
    new Failure('config_invalid', `${path}, line ${line}: ${what}`);
  const { value, lineOf } = readYaml(source, fail);
  const mistake = findMistake(value, script);
  if (mistake) throw fail(lineOf(mistake.path), mistake.what);
  const written = value as Written;
  return written.rules.map((each, index) => {
    const at = ['rules', index];
    const line = lineOf(at);
    if ((each.answer === undefined) === (each.answers === undefined))
      throw fail(line, 'A rule has either an answer or answers.');
    const { matches } = each.when ?? {};
    const unusable = matches === undefined ? undefined : objectionTo(matches);
    if (unusable !== undefined) throw fail(lineOf([...at, 'when', 'matches']), unusable);
    const answers = each.answers ?? [each.answer ?? {}];
    const codes: string[] = answers.flatMap(({ error: wanted }) => wanted?.code ?? []);
    const unknown = codes.find((code) => !isFailureCode(code));
    if (unknown !== undefined) throw fail(line, `"${unknown}" is not an error code. docs/api.md lists them.`);
    return { when: each.when ?? {}, answers, line };
  });
}

function objectionTo(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (cause) {
    return (cause as Error).message;
  }
}
