import { objectionTo } from '../checks/bounded-pattern.ts';
import type { Check } from '../checks/check.ts';
import { objectionToSchema } from '../checks/schema.ts';
import type { WrittenCheck } from './eval-file.ts';
import { toText } from './variables.ts';

const SIMILAR_AT_LEAST = 0.8;
const JUDGE_AT_LEAST = 0.7;

const WITH_CASE: readonly string[] = ['exact', 'contains', 'not_contains', 'regex'];

/** The checks of one entry of `expect`, or what is wrong with it. An entry may have several: all have to pass. */
export function toChecks({ ignore_case: ignoreCase, ...written }: WrittenCheck): Check[] | string {
  const kinds = Object.keys(written) as Check['kind'][];
  if (kinds.length === 0) return 'A check is missing here, such as contains: TEXT.';
  if (ignoreCase !== undefined && !kinds.some((kind) => WITH_CASE.includes(kind)))
    return `ignore_case belongs to ${WITH_CASE.join(', ')}.`;
  const checks = kinds.map((kind) => toCheck(kind, written, ignoreCase ?? false));
  return checks.map(objectionOf).find((objection) => objection !== undefined) ?? checks;
}

function toCheck(kind: Check['kind'], written: WrittenCheck, ignoreCase: boolean): Check {
  switch (kind) {
    case 'exact':
    case 'contains':
    case 'not_contains':
      return { kind, texts: textsOf(written[kind]), ignoreCase };
    case 'regex':
      return { kind, pattern: toText(written.regex), ignoreCase };
    case 'json_schema':
      return { kind, schema: written.json_schema ?? true };
    case 'tool_call': {
      const { name = '', arguments: wanted = {} } = written.tool_call ?? {};
      return { kind, name: toText(name), arguments: wanted };
    }
    case 'similar': {
      const { to, at_least: atLeast = SIMILAR_AT_LEAST } = written.similar ?? {};
      return { kind, texts: textsOf(to), atLeast };
    }
    case 'judge': {
      const { rubric = '', model, at_least: atLeast = JUDGE_AT_LEAST } = written.judge ?? {};
      return { kind, rubric: toText(rubric), model, atLeast };
    }
  }
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(toText);
}

function objectionOf(check: Check): string | undefined {
  if (check.kind === 'regex') return objectionTo(check.pattern);
  if (check.kind === 'json_schema') return objectionToSchema(check.schema);
  if ('texts' in check && check.kind !== 'exact' && check.texts.includes(''))
    return `${check.kind} needs a text that is not empty.`;
  return undefined;
}
