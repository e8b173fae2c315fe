/** A copy that lacks these fields. */
export function without<Value extends object, Name extends keyof Value>(
  value: Value,
  ...names: readonly Name[]
): Omit<Value, Name> {
  const kept = Object.entries(value).filter(([name]) => !names.includes(name as Name));
  return Object.fromEntries(kept) as Omit<Value, Name>;
}
