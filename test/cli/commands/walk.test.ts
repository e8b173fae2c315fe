import { afterAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../cli/commands.ts';
import { EXIT_CODES } from '../../../cli/exit-codes.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { openDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';

/**
 * One call of each command that needs no model and no network, its exit code, and a second exit code if it works only
 * once.
 */
const CALLS: Readonly<
  Record<string, { args: string; second?: string; code?: number } | { untried: string }>
> = {
  chat: { args: 'chat', code: 2 },
  'chats list': { args: 'chats list' },
  'chats show': { args: 'chats show nothing', code: 5 },
  'chats rm': { args: 'chats rm nothing', code: 5 },
  'chats rename': { args: 'chats rename nothing other', code: 5 },
  'chats search': { args: 'chats search nothing' },
  'chats export': { args: 'chats export nothing', code: 5 },
  'keys show': { args: 'keys show nothing', code: 5 },
  update: { untried: 'asks the registry: test/cli/help/latest-version.test.ts' },
  run: { args: 'run nothing-of-this-name', code: 5 },
  embed: { args: 'embed -m nothing hello', code: 5 },
  rerank: { args: 'rerank -m nothing --query a b c', code: 5 },
  moderate: { args: 'moderate -m nothing hello', code: 5 },
  translate: { args: 'translate --to fr Hello.' },
  agent: { args: 'agent', code: 2 },
  'agent list': { args: 'agent list' },
  'agent show': { args: 'agent show run_1', code: 5 },
  'agent attach': { args: 'agent attach run_1', code: 5 },
  'agent cancel': { args: 'agent cancel run_1', code: 5 },
  'docs add': { args: 'docs add /nothing', code: 5 },
  'docs list': { args: 'docs list' },
  'docs rm': { args: 'docs rm nothing', code: 5 },
  'docs search': { args: 'docs search hello' },
  'mcp add': { args: 'mcp add nothing', code: 2 },
  'mcp list': { args: 'mcp list' },
  'mcp show': { args: 'mcp show nothing', code: 5 },
  'mcp login': { args: 'mcp login nothing', code: 5 },
  'mcp logout': { args: 'mcp logout nothing', code: 5 },
  'mcp test': { args: 'mcp test nothing', code: 5 },
  'mcp allow': { args: 'mcp allow nothing', code: 5 },
  'mcp rm': { args: 'mcp rm nothing', code: 5 },
  'mcp import': { args: 'mcp import /nothing.json', code: 5 },
  'mcp serve': { untried: 'talks with a program: test/cli/agent/mcp/serve.test.ts' },
  launch: { args: 'launch' },
  eval: { args: 'eval /nothing.yaml', code: 5 },
  record: { untried: 'records until it is ended: test/cli/tasks/cassette/record.test.ts' },
  replay: { args: 'replay /nothing.jsonl', code: 5 },
  'batch run': { args: 'batch run /nothing.jsonl', code: 5 },
  'batch list': { args: 'batch list' },
  'batch show': { args: 'batch show batch_1', code: 5 },
  'batch cancel': { args: 'batch cancel batch_1', code: 5 },
  image: { args: 'image fox', code: 5 },
  transcribe: { args: 'transcribe /nothing.wav', code: 5 },
  speak: { args: 'speak -m nothing hello --out /tmp/never-written.mp3', code: 5 },
  check: { args: 'check nothing', code: 5 },
  recommend: { args: 'recommend --no-measure' },
  top: { args: 'top --once' },
  'secrets list': { args: 'secrets list' },
  'secrets set': { args: 'secrets set nothing', code: 5 },
  'secrets rm': { args: 'secrets rm nothing', code: 5 },
  'secrets migrate': { args: 'secrets migrate' },
  'engines list': { args: 'engines list' },
  'engines install': { args: 'engines install nothing', code: 5 },
  'engines build': { untried: 'compiles for minutes: test/models/llama-build/llama-build.test.ts' },
  'engines remove': { args: 'engines remove nothing', code: 5 },
  'token rotate': { untried: 'changes the token of this test: test/cli/commands/token.test.ts' },
  models: { args: 'models' },
  pull: { args: 'pull --list' },
  list: { args: 'list --available' },
  show: { args: 'show svc-chat-v1' },
  ps: { args: 'ps' },
  devices: { args: 'devices' },
  place: { args: 'place nothing --gpu-layers 0', code: 5 },
  load: { args: 'load nothing', code: 5 },
  stop: { args: 'stop nothing', code: 5 },
  import: { args: 'import /nothing.gguf --id a', code: 5 },
  'adapter add': { args: 'adapter add a /nothing.gguf --base nothing', code: 5 },
  'adapter list': { args: 'adapter list' },
  'adapter rm': { args: 'adapter rm nothing', code: 5 },
  export: { args: 'export /tmp/never-written.tar nothing', code: 5 },
  adopt: { args: 'adopt nothing', code: 5 },
  'upstream add': { untried: 'needs another server: test/daemon/routes/management/upstream.test.ts' },
  bind: { args: 'bind svc-chat-v1 nothing', code: 5 },
  cp: { args: 'cp nothing a', code: 5 },
  rm: { args: 'rm nothing', code: 5 },
  search: { untried: 'needs the hub: test/cli/commands/pull.test.ts' },
  up: { args: 'up' },
  down: { untried: 'ends the daemon of this test: test/journeys/cli.test.ts' },
  restart: { untried: 'ends the daemon of this test: test/journeys/cli.test.ts' },
  status: { args: 'status' },
  serve: { untried: 'is the daemon: test/journeys/serving.test.ts' },
  logs: { args: 'logs -n 1' },
  doctor: { args: 'doctor' },
  'keys create': { args: 'keys create --name walk' },
  audit: { args: 'audit' },
  'keys list': { args: 'keys list' },
  'simulate add': { args: 'simulate add POST', code: 5 },
  'simulate list': { args: 'simulate list' },
  'simulate rm': { args: 'simulate rm nothing', code: 5 },
  'keys update': { args: 'keys update nothing --off', code: 5 },
  'keys rotate': { args: 'keys rotate nothing', code: 5 },
  'keys revoke': { args: 'keys revoke nothing --yes', code: 5 },
  tui: { args: 'tui', code: 2 },
  dashboard: { args: 'dashboard' },
  'session create': { args: 'session create' },
  'session list': { args: 'session list' },
  'session revoke': { args: 'session revoke nothing', code: 5 },
  init: { args: 'init --yes' },
  usage: { args: 'usage --by model' },
  'wallet balance': { args: 'wallet balance' },
  'wallet history': { args: 'wallet history' },
  'wallet topup': { args: 'wallet topup 25' },
  'wallet settings': { args: 'wallet settings' },
  'wallet export': { untried: 'its lines are the result: test/cli/commands/account.test.ts' },
  'account tier': { args: 'account tier' },
  'account create': { args: 'account create walked', second: 'account create walked-too' },
  'account list': { args: 'account list' },
  'account show': { args: 'account show nothing', code: 5 },
  'account suspend': { args: 'account suspend nothing', code: 5 },
  'account resume': { args: 'account resume nothing', code: 5 },
  'account members': { args: 'account members' },
  'account add-member': {
    args: 'account add-member walked --role member',
    second: 'account add-member walked-too --role member',
  },
  'account role': { args: 'account role nothing owner', code: 5 },
  'account remove-member': { args: 'account remove-member nothing', code: 5 },
  'account login-link': { args: 'account login-link nothing', code: 5 },
  'webhooks add': { args: 'webhooks add http://10.0.0.1 --events chat.completed', code: 2 },
  'webhooks list': { args: 'webhooks list' },
  'webhooks show': { args: 'webhooks show nothing', code: 5 },
  'webhooks rm': { args: 'webhooks rm nothing --yes', code: 5 },
  'webhooks pause': { args: 'webhooks pause nothing', code: 5 },
  'webhooks resume': { args: 'webhooks resume nothing', code: 5 },
  'webhooks rotate': { args: 'webhooks rotate nothing', code: 5 },
  'webhooks events': { args: 'webhooks events' },
  'webhooks deliveries': { args: 'webhooks deliveries nothing', code: 5 },
  'webhooks resend': { args: 'webhooks resend nothing evt_1', code: 5 },
  'webhooks replay': { args: 'webhooks replay nothing --since 2027-01-01', code: 5 },
  'webhooks test': { args: 'webhooks test nothing', code: 5 },
  'webhooks listen': { untried: 'listens until it is ended: test/journeys/webhooks.test.ts' },
  'webhooks trigger': { args: 'webhooks trigger chat.completed' },
  'config get': { args: 'config get port' },
  'config add': { args: 'config add allowed_hosts mybox' },
  'config remove': { args: 'config remove allowed_hosts nothing', code: 5 },
  'config set': { args: 'config set port 12000' },
  'config unset': { args: 'config unset port' },
  'config list': { args: 'config list' },
  'config edit': { args: 'config edit', code: 2 },
  'config path': { args: 'config path' },
  'service install': { untried: 'changes the machine: test/cli/commands/service.test.ts' },
  'service uninstall': { untried: 'changes the machine: test/cli/commands/service.test.ts' },
  'service status': { untried: 'asks the machine: test/cli/commands/service.test.ts' },
  'service logs': { args: 'service logs -n 1' },
  backup: { args: 'backup /nowhere/askd.tar --no-secrets', code: 2 },
  restore: { args: 'restore /nothing.tar', code: 5 },
  uninstall: { args: 'uninstall --dry-run' },
  completion: { args: 'completion bash' },
  help: { args: 'help exit-codes' },
  version: { args: 'version' },
};

/** These print JSON lines, or a page for people. */
const NOT_ONE_DOCUMENT = ['logs', 'service logs', 'help', 'mcp serve'];

let opened: Promise<TestDaemon> | undefined;
async function daemonOfThisFile(): Promise<TestDaemon> {
  opened ??= openDaemon();
  const daemon = await opened;
  announce(daemon);
  return daemon;
}

describe.each(COMMANDS.map(({ name }) => name))('askd %s', (name) => {
  test('prints no escape code into a pipe, one document for --json, and the exit code that it promises', async () => {
    const call = CALLS[name];
    if (call === undefined) throw new Error(`Say in CALLS how askd ${name} is tried.`);
    if ('untried' in call) return;
    const { home } = await daemonOfThisFile();
    const expected = call.code ?? 0;
    const text = await runCli(call.args.split(' '), { home });
    expect(text.stdout + text.stderr).not.toContain('\u001b');
    expect([text.code, text.stderr]).toEqual([expected, expect.any(String)]);
    const { code, stdout, stderr } = await runCli([...(call.second ?? call.args).split(' '), '--json'], {
      home,
    });
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.any(String) });
    expect(Object.keys(EXIT_CODES)).toContain(String(code));
    if (code !== 0) {
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^error: /m);
    } else if (!NOT_ONE_DOCUMENT.includes(name)) {
      const { schema } = JSON.parse(stdout) as { schema: string };
      expect(schema).toMatch(/^[a-z-]+\/1$/);
    }
  }, 60_000);
});

afterAll(async () => (await opened)?.close());

test('askd --map=json is every command with its arguments and flags', async () => {
  const { code, stdout } = await runCli(['--map=json']);
  const map = JSON.parse(stdout) as { schema: string; commands: { name: string; commands: unknown[] }[] };
  expect({ code, schema: map.schema }).toEqual({ code: 0, schema: 'map/1' });
  const families = new Set(COMMANDS.map(({ name }) => name.split(' ')[0]));
  expect(new Set(map.commands.map(({ name }) => name))).toEqual(families);
});

test('--plain is lines with tabs, without titles', async () => {
  const { home } = await daemonOfThisFile();
  const { stdout } = await runCli(['models', '--plain'], { home, terminal: true });
  const [first = ''] = stdout.split('\n');
  expect(first.split('\t')).toHaveLength(5);
  expect(stdout).not.toContain('CATEGORY');
});

test.each(['show svc-chat-v1', 'engines list'])(
  'askd %s breaks prose between words on a terminal',
  async (args) => {
    const { home } = await daemonOfThisFile();
    const { stdout } = await runCli(args.split(' '), { home, terminal: true });
    const wide = stdout.split('\n').filter((line) => line.length > 80);
    // A path stays whole, so that it can be copied.
    expect(wide.filter((line) => !/^file +\S+$/.test(line))).toEqual([]);
  },
);

test('--no-input never asks, also on a terminal', async () => {
  const { home } = await daemonOfThisFile();
  await runCli(['keys', 'create', '--name', 'asked'], { home });
  const list = await runCli(['keys', 'list', '--json'], { home });
  const { keys } = JSON.parse(list.stdout) as { keys: { id: string }[] };
  const { code, stderr } = await runCli(['keys', 'revoke', keys[0]?.id ?? '', '--no-input'], {
    home,
    terminal: true,
  });
  expect(code).toBe(2);
  expect(stderr).toContain('--yes');
});

test.each([
  ['delete nothing', 5],
  ['unload nothing', 5],
  ['server status', 0],
  ['log stream --help', 0],
  ['start --help', 0],
])('users of other programs may type askd %s', async (args, code) => {
  const { home } = await daemonOfThisFile();
  expect((await runCli(args.split(' '), { home })).code).toBe(code);
});
