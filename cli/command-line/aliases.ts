import { Failure } from '../../src/base/errors.ts';

/** Commands of other model servers and their equivalents. Help does not list them. */
const ALIASES: readonly (readonly [typed: readonly string[], meant: readonly string[]])[] = [
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

/** Commands of other programs that work differently here. */
const ELSEWHERE: readonly (readonly [command: string, flag: string | undefined, fix: string])[] = [
  ['create', undefined, 'askd import FILE --id NAME, then askd chat -s TEXT for its system prompt'],
  ['push', undefined, 'askd import or askd pull; askd does not publish models'],
  ['signin', undefined, 'HF_TOKEN=TOKEN askd pull MODEL; askd has no online account'],
  ['login', undefined, 'HF_TOKEN=TOKEN askd pull MODEL; askd has no online account'],
  ['run', '--nowordwrap', 'askd run MODEL --plain'],
  ['run', '--hidethinking', 'askd run MODEL --quiet; thinking is never shown'],
  ['show', '--modelfile', 'askd show MODEL'],
  ['show', '--parameters', 'askd show MODEL'],
  ['show', '--license', 'askd show MODEL'],
  ['show', '--system', 'askd show MODEL; to set a system prompt: askd chat -s TEXT'],
  ['show', '--template', 'askd chat -m MODEL --show-prompt "PROMPT"'],
];

export function translateAliases(argv: readonly string[]): string[] {
  if (argv.length === 1 && argv[0] === '-v') return ['version'];
  refuseElsewhere(argv);
  const found = ALIASES.find(([typed]) => typed.every((word, index) => argv[index] === word));
  if (found === undefined) return [...argv];
  const [typed, meant] = found;
  return [...meant, ...argv.slice(typed.length)];
}

function refuseElsewhere([command = '', ...rest]: readonly string[]): void {
  const found = ELSEWHERE.find(
    ([name, flag]) => name === command && (flag === undefined || rest.includes(flag)),
  );
  if (found === undefined) return;
  const [, flag, fix] = found;
  const typed = flag === undefined ? `askd ${command}` : `askd ${command} ${flag}`;
  throw new Failure('unsupported_parameter', `There is no ${typed}.`, { details: { fix } });
}
