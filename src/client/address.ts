export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/** `{name*}` may contain slashes. */
export function fillPath(path: string, valueOf: (name: string, index: number) => unknown): string {
  let next = 0;
  return path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, many: string) => {
    const value = String(valueOf(name, next++));
    return many ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
}

/** With its question mark; empty without values. */
export function toQuery(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each === undefined ? [] : [[name, String(each)] as [string, string]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
