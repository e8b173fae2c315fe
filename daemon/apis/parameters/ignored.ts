import type { FastifyRequest } from 'fastify';
import type { IgnoredParameter } from '../../../src/api/management/daemon.ts';

export const IGNORED_HEADER = 'x-askd-ignored';
const HEADER_LENGTH_MAX = 2000;
const NAME_LENGTH_MAX = 100;
/** Per request, and in total. */
const NAMES_COUNTED_MAX = 50;
const NAMES_MAX = 200;

/** The parameters of a request that were accepted without effect, each once. */
export function ignoredBy(request: FastifyRequest): Set<string> {
  return (request.ignored ??= new Set());
}

/** A header has limited room and only visible ASCII, and names come from clients. */
export function toIgnoredHeader(names: ReadonlySet<string>): string {
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    const text = headerText(name);
    length += text.length + 2;
    if (length > HEADER_LENGTH_MAX) return [...shown, `${names.size - shown.length} more`].join(', ');
    shown.push(text);
  }
  return shown.join(', ');
}

function headerText(name: string): string {
  return name.slice(0, NAME_LENGTH_MAX).replace(/[^!-~]|,/g, '?');
}

export type IgnoredCounts = ReturnType<typeof createIgnoredCounts>;

/** How often each parameter had no effect since the daemon started. */
export function createIgnoredCounts() {
  const counts = new Map<string, IgnoredParameter>();
  return {
    count(route: string, names: ReadonlySet<string>): void {
      for (const name of [...names].slice(0, NAMES_COUNTED_MAX)) {
        const parameter = name.slice(0, NAME_LENGTH_MAX);
        const id = `${route} ${parameter}`;
        const known = counts.get(id);
        if (known) known.requests += 1;
        else counts.set(id, { route, parameter, requests: 1 });
        if (counts.size > NAMES_MAX) counts.delete(rarest(counts));
      }
    },
    list: (): IgnoredParameter[] => [...counts.values()].toSorted((a, b) => b.requests - a.requests),
  };
}

/** A client that sends a new name each time must not displace names that others send every time. */
function rarest(counts: ReadonlyMap<string, IgnoredParameter>): string {
  let rare: [string, number] = ['', Infinity];
  for (const [id, { requests }] of counts) if (requests < rare[1]) rare = [id, requests];
  return rare[0];
}

declare module 'fastify' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- only an interface can be augmented
  interface FastifyRequest {
    /** Parameters that were accepted without effect; undefined while there are none. */
    ignored?: Set<string>;
  }
}
