import type { RecordedRequest } from './exchange.ts';

const SHOWN_LENGTH = 60;
const SHOWN_BEFORE = 20;

type Fields = Map<string, unknown>;

/** Every value of a request by its path, such as `body.messages.0.content`, without what is ignored. */
export function fieldsOf(request: RecordedRequest, ignore: readonly string[]): Fields {
  const ignored = ignore.map((each) => each.split('.'));
  const fields: Fields = new Map();
  const isIgnored = (path: readonly string[]) =>
    ignored.some(
      (each) => each.length <= path.length && each.every((name, at) => name === '*' || name === path[at]),
    );

  function add(value: unknown, path: readonly string[]): void {
    if (isIgnored(path)) return;
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    if (typeof value !== 'object' || value === null || isEmpty) return void fields.set(path.join('.'), value);
    for (const name of Object.keys(value).sort())
      add((value as Record<string, unknown>)[name], [...path, name]);
  }

  add(request, []);
  return fields;
}

export function sameFields(fields: Fields): string {
  return JSON.stringify([...fields]);
}

/** What a request has otherwise than a recorded one, a sentence for each field. */
export function differences(asked: Fields, recorded: Fields): string[] {
  const names = [...new Set([...asked.keys(), ...recorded.keys()])];
  return names.flatMap((name) => {
    if (!recorded.has(name)) return [`${name} is ${show(asked.get(name))}, and was not there`];
    if (!asked.has(name)) return [`${name} is not there, and was ${show(recorded.get(name))}`];
    const [now, before] = [asked.get(name), recorded.get(name)];
    if (JSON.stringify(now) === JSON.stringify(before)) return [];
    const from = sharedStart(now, before);
    return [`${name} is ${show(now, from)}, and was ${show(before, from)}`];
  });
}

function sharedStart(now: unknown, before: unknown): number {
  if (typeof now !== 'string' || typeof before !== 'string') return 0;
  let at = 0;
  while (at < now.length && now[at] === before[at]) at += 1;
  return at;
}

/** A long text from shortly before its difference on. */
function show(value: unknown, differsAt = 0): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const from = value.length <= SHOWN_LENGTH ? 0 : Math.max(0, differsAt - SHOWN_BEFORE);
  const shown = value.slice(from, from + SHOWN_LENGTH);
  return JSON.stringify(`${from > 0 ? '…' : ''}${shown}${from + SHOWN_LENGTH < value.length ? '…' : ''}`);
}
