import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Failure, isFailureCode, type FailureCode } from '../../base/errors.ts';
import { readYaml, type Path } from '../../config/yaml.ts';

export type Rule = { when: Condition; answers: readonly Answer[]; line: number };

/** All that is given must hold, for the last message of the user. */
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

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const fields = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const error = fields({ code: text, message: text, retry_after: count }, ['code']);
const call = fields({ id: text, name: text, arguments: { type: 'object' } }, ['name']);
const usage = fields({
  prompt_tokens: count,
  cached_tokens: count,
  completion_tokens: count,
  reasoning_tokens: count,
});
const answer = {
  ...fields({ text, reasoning: text, tool_calls: { type: 'array', items: call }, usage, error }),
  minProperties: 1,
};
const when = fields({
  message: text,
  contains: text,
  matches: text,
  tool_result: { type: ['boolean', 'string'] },
});
const rule = fields({ when, answer, answers: { type: 'array', items: answer, minItems: 1 } });
let compiled: ValidateFunction | undefined;
// The schema is our own: checking it takes longer than compiling it, at every start.
const validator = () =>
  (compiled ??= new Ajv({ allowUnionTypes: true, meta: false, validateSchema: false }).compile(
    fields({ rules: { type: 'array', items: rule } }, ['rules']),
  ));

type Written = { rules: { when?: Condition; answer?: Answer; answers?: Answer[] }[] };

/** Each failure names the line. */
export function parseScript(source: string, path: string): Rule[] {
  const fail = (line: number, what: string) =>
    new Failure('config_invalid', `${path}, line ${line}: ${what}`);
  const { value, lineOf } = readYaml(source, fail);
  const written = value as Written;
  const validate = validator();
  if (!validate(written)) {
    const [first] = validate.errors ?? [];
    const at = toPath(first);
    throw fail(lineOf(at), describe(first, at));
  }
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
    if (unknown !== undefined) throw fail(line, `"${unknown}" is no error code. docs/api.md lists them.`);
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

function toPath(error: ErrorObject | undefined): Path {
  const names = (error?.instancePath ?? '').split('/').slice(1);
  const extra = (error?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
  return [...names, ...(extra === undefined ? [] : [extra])].map((name) =>
    /^\d+$/.test(name) ? Number(name) : name,
  );
}

function describe(error: ErrorObject | undefined, at: Path): string {
  const name = at.at(-1) ?? 'the file';
  if (error?.keyword === 'additionalProperties') return `"${name}" is not known here.`;
  return `${name} ${error?.message ?? 'is not valid'}.`;
}
