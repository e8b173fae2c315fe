import type { ChatMessage } from '../../../../src/api/chat/chat.ts';
import type { EvalCase, EvalFile, Variables, WrittenCase, WrittenDefaults } from './eval-file.ts';
import { toChecks } from './checks.ts';
import { fill, hasPlace, toText, UnknownVariable } from './variables.ts';
import { validate } from './validate.ts';
import { mistake, readWritten } from './written.ts';

const NAME_LENGTH = 60;

/** Reads a file of cases. Every mistake is an error with its line, before anything is sent. */
export function readEvalFile(source: string, path: string): EvalFile {
  const written = readWritten(source, path);
  const { cases, ...defaults } = validate(written, path);
  const found = new Map<string, EvalCase>();
  for (const [index, each] of cases.entries()) {
    const at = ['cases', index];
    const fail = (what: string, within: readonly (string | number)[] = []) =>
      mistake(path, written.lineOf([...at, ...within]), what);
    if ((each.prompt === undefined) === (each.messages === undefined))
      throw fail('A case has either a prompt or messages.');
    for (const [row, variables] of (each.with ?? [{}]).entries()) {
      const where = each.with === undefined ? [] : ['with', row];
      const one = expand(each, { defaults, row, variables }, (what, within) => fail(what, within ?? where));
      if (found.has(one.name))
        throw fail(`The name "${one.name}" is already used by an earlier case.`, where);
      found.set(one.name, one);
    }
  }
  return {
    path,
    models: defaults.models ?? [],
    judge: defaults.judge,
    embed: defaults.embed,
    cases: [...found.values()],
  };
}

type Row = { defaults: WrittenDefaults; row: number; variables: Variables };
type Fail = (what: string, within?: readonly (string | number)[]) => Error;

/** A case with the variables of one row. */
function expand(written: WrittenCase, { defaults, row, variables }: Row, fail: Fail): EvalCase {
  const all = { ...defaults.variables, ...written.variables, ...variables };
  // The rows are variables themselves, and contain none.
  const plain = { system: defaults.system, ...written, with: undefined, variables: undefined };
  const filled = filledOr(fail, () => fill(plain, all));
  const checks = filled.expect.flatMap((each, index) => {
    const made = toChecks(each);
    if (typeof made === 'string') throw fail(made, ['expect', index]);
    return made;
  });
  const tools = filled.tools ?? defaults.tools;
  const responseFormat = filled.response_format ?? defaults.response_format;
  return {
    name: nameOf(written, toText(filled.name ?? filled.prompt ?? ''), written.with && row),
    messages: messagesOf(filled),
    images: filled.images ?? [],
    files: filled.files ?? [],
    request: {
      ...{ ...defaults.options, ...filled.options },
      ...(tools && { tools }),
      ...(responseFormat && { response_format: responseFormat }),
    },
    samples: written.samples ?? defaults.samples ?? 1,
    checks,
  };
}

function filledOr<Value>(fail: Fail, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw error instanceof UnknownVariable ? fail(error.message) : error;
  }
}

function messagesOf({ system, prompt, messages = [] }: WrittenCase): ChatMessage[] {
  const first: ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: toText(system) }];
  const asked: ChatMessage[] = prompt === undefined ? [] : [{ role: 'user', content: toText(prompt) }];
  const said = messages.map((message) =>
    message.content === undefined || Array.isArray(message.content)
      ? message
      : { ...message, content: toText(message.content) },
  );
  return [...first, ...said, ...asked];
}

/** Rows are distinguished by their variables if the name contains any, otherwise by number. */
function nameOf({ name, prompt, messages }: WrittenCase, filled: string, row: number | undefined): string {
  const template = toText(name ?? prompt ?? lastText(messages));
  const [line = ''] = (filled === '' ? template : filled).trim().split('\n');
  const short = name === undefined && line.length > NAME_LENGTH ? `${line.slice(0, NAME_LENGTH)}…` : line;
  return row === undefined || hasPlace(template) ? short : `${short} #${row + 1}`;
}

function lastText(messages: readonly ChatMessage[] = []): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content;
  if (typeof content === 'string') return content;
  return content?.find(({ text }) => text !== undefined)?.text ?? 'messages';
}
