import type { RecordedRequest } from './exchange.ts';
import type { Comparison } from './rules.ts';

const SHOWN_LENGTH = 60;
const SHOWN_BEFORE = 20;

type Container = Record<string, unknown>;

/** The parts of a request that are compared: equal requests give equal JSON. */
export function comparableOf(request: RecordedRequest, rules: Comparison): unknown {
  return comparable(request, [], rules);
}

function comparable(value: unknown, path: readonly string[], rules: Comparison): unknown {
  if (rules.isIgnored(path)) return undefined;
  if (!isContainer(value)) return rules.valueOf(value, path);
  const kept = Object.keys(value)
    .sort()
    .map((name) => [name, comparable(value[name], [...path, name], rules)] as const);
  const shown = kept.filter(([, each]) => each !== undefined);
  if (shown.length === 0) return kept.length === 0 ? value : undefined;
  if (!Array.isArray(value)) return Object.fromEntries(shown);
  // Positions are kept, so that `body.messages.2` means the same in both requests.
  const list = value.map((_, index) => kept.find(([name]) => name === String(index))?.[1]);
  return rules.isSet(path) ? list.sort((a, b) => compare(textOf(a), textOf(b))) : list;
}

/** How a request differs from a recorded one: a sentence for each field. */
export function differences(
  asked: unknown,
  recorded: unknown,
  rules: Comparison,
  path: readonly string[] = [],
): string[] {
  if (textOf(asked) === textOf(recorded)) return [];
  if (!isFull(asked) || !isFull(recorded)) return sentence(path, asked, recorded);
  if (rules.isSet(path) && Array.isArray(asked) && Array.isArray(recorded)) {
    const [now, before] = [without(asked, recorded), without(recorded, asked)];
    return Array.from({ length: Math.max(now.length, before.length) }).flatMap((_, at) =>
      differences(now[at], before[at], rules, [...path, '*']),
    );
  }
  const names = [...new Set([...Object.keys(asked), ...Object.keys(recorded)])];
  return names.flatMap((name) => differences(asked[name], recorded[name], rules, [...path, name]));
}

/** All fields below one that exists in only one of them. */
function sentence(path: readonly string[], asked: unknown, recorded: unknown): string[] {
  if (isFull(asked))
    return [
      ...Object.keys(asked).flatMap((name) => sentence([...path, name], asked[name], undefined)),
      ...(recorded === undefined ? [] : sentence(path, undefined, recorded)),
    ];
  if (isFull(recorded))
    return [
      ...(asked === undefined ? [] : sentence(path, asked, undefined)),
      ...Object.keys(recorded).flatMap((name) => sentence([...path, name], undefined, recorded[name])),
    ];
  const name = path.join('.');
  if (recorded === undefined)
    return asked === undefined ? [] : [`${name} is ${show(asked)}, and was not there`];
  if (asked === undefined) return [`${name} is not there, and was ${show(recorded)}`];
  const from = sharedStart(asked, recorded);
  return [`${name} is ${show(asked, from)}, and was ${show(recorded, from)}`];
}

/** Items that the others lack, or have less often. */
function without(list: readonly unknown[], others: readonly unknown[]): unknown[] {
  const rest = others.map(textOf);
  return list.filter((each) => {
    const at = rest.indexOf(textOf(each));
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function isFull(value: unknown): value is Container {
  return isContainer(value) && Object.keys(value).length > 0;
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sharedStart(now: unknown, before: unknown): number {
  if (typeof now !== 'string' || typeof before !== 'string') return 0;
  let at = 0;
  while (at < now.length && now[at] === before[at]) at += 1;
  return at;
}

/** A long text, starting shortly before its difference. */
function show(value: unknown, differsAt = 0): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const from = value.length <= SHOWN_LENGTH ? 0 : Math.max(0, differsAt - SHOWN_BEFORE);
  const shown = value.slice(from, from + SHOWN_LENGTH);
  return JSON.stringify(`${from > 0 ? '…' : ''}${shown}${from + SHOWN_LENGTH < value.length ? '…' : ''}`);
}
