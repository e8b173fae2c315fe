const LENGTH_MAX = 64;

/** The name under which a model knows a tool: letters, digits, `_` and `-`. */
export function modelToolName(server: string, tool: string): string {
  return `${server}__${tool}`.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LENGTH_MAX);
}

/** The same, with a number if another tool has that name. */
export function freeToolName(server: string, tool: string, taken: (name: string) => boolean): string {
  const name = modelToolName(server, tool);
  let free = name;
  for (let count = 1; taken(free); count += 1) free = `${name.slice(0, LENGTH_MAX - 4)}_${count}`;
  return free;
}
