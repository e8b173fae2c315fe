/** What hands that know other model servers type, and what it is called here. Help does not list it. */
const HABITS: readonly (readonly [typed: readonly string[], meant: readonly string[]])[] = [
  [['delete'], ['rm']],
  [['remove'], ['rm']],
  [['unload'], ['stop']],
  [['start'], ['serve']],
  [['info'], ['show']],
  [['copy'], ['cp']],
  [['server', 'start'], ['up']],
  [['server', 'stop'], ['down']],
  [['server', 'status'], ['status']],
  [['daemon', 'up'], ['up']],
  [['daemon', 'down'], ['down']],
  [['daemon', 'status'], ['status']],
  [
    ['log', 'stream'],
    ['logs', '--follow'],
  ],
  [['key'], ['keys']],
  [['webhook'], ['webhooks']],
  [['topup'], ['wallet', 'topup']],
];

export function translateHabits(argv: readonly string[]): string[] {
  const found = HABITS.find(([typed]) => typed.every((word, index) => argv[index] === word));
  if (found === undefined) return [...argv];
  const [typed, meant] = found;
  return [...meant, ...argv.slice(typed.length)];
}
