import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { daemonWith } from '../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A program with this name that records how it was started, and exits as scripted. */
function standIn(program: string, exitCode = 0) {
  const folder = temporaryFolder();
  const record = join(folder, 'started.json');
  const source = `#!${process.execPath}
const started = { args: process.argv.slice(2), env: process.env };
const finish = (answer) => {
  require('node:fs').writeFileSync(${JSON.stringify(record)}, JSON.stringify({ ...started, answer }));
  process.exit(${exitCode});
};
const url = process.env.ANTHROPIC_BASE_URL ?? '';
if (url.startsWith('https:')) fetch(url + '/health').then(({ status }) => finish(status), ({ cause }) => finish(cause.code));
else finish();
`;
  writeFileSync(join(folder, program), source);
  chmodSync(join(folder, program), 0o755);
  type Started = { args: string[]; env: Record<string, string>; answer?: number | string };
  return { folder, started: () => JSON.parse(readFileSync(record, 'utf8')) as Started };
}

type Env = Record<string, string>;
type World = { exitCode?: number; context?: string; tls?: { cert: string; env: Env }; more?: Env };

async function world(program: string, { exitCode = 0, context = '65536', tls, more }: World = {}) {
  const daemon = await daemonWith(
    { m: await scriptedModel('Any answer.', { contextTokens: 65_536 }) },
    { ASKD_MODEL_CONTEXT_TOKENS: context, ...tls?.env },
  );
  announce(daemon, tls ? { certificate: tls.cert } : {});
  const user = temporaryFolder();
  const { folder, started } = standIn(program, exitCode);
  const env = {
    PATH: folder,
    HOME: user,
    XDG_CONFIG_HOME: join(user, '.config'),
    ANTHROPIC_API_KEY: 'of-the-user',
    ...more,
  };
  const launch = (...args: string[]) => runCli(['launch', ...args], { home: daemon.home, env });
  return { daemon, user, launch, started };
}

function selfSigned() {
  const folder = temporaryFolder();
  const [file, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const flags = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
  const names = ['-subj', '/CN=askd', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...flags, '-keyout', key, '-out', file, ...names], {
    stdio: 'pipe',
  });
  return { file, cert: readFileSync(file, 'utf8'), env: { ASKD_TLS_CERT: file, ASKD_TLS_KEY: key } };
}

describe.skipIf(process.platform === 'win32')('askd launch', () => {
  test('starts Claude Code with the address, its own key and the model, and exits with its code', async () => {
    const { daemon, launch, started } = await world('claude', { exitCode: 7 });
    expect((await launch('claude', '--model', 'm', '--', '-p', 'hello')).code).toBe(7);
    const { args, env } = started();
    expect(args).toEqual(['-p', 'hello']);
    expect(env).toMatchObject({
      ANTHROPIC_BASE_URL: daemon.baseURL.replace(/\/v1$/, ''),
      ANTHROPIC_MODEL: 'm',
    });
    expect(env).not.toHaveProperty('ANTHROPIC_API_KEY');
    const token = env['ANTHROPIC_AUTH_TOKEN'] ?? '';
    const reply = await daemon.call('POST', '/v1/messages', {
      token,
      body: { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] },
    });
    expect(reply.json()).toMatchObject({ content: [{ text: 'Any answer.' }] });

    await launch('claude', '--model', 'm');
    expect(started().env['ANTHROPIC_AUTH_TOKEN']).toBe(token);
    const [made, ...others] = daemon.services.keys
      .list('acct_local')
      .filter(({ name }) => name === 'Claude Code');
    expect(others).toEqual([]);
    daemon.services.keys.revoke('acct_local', made?.id ?? '');
    await launch('claude', '--model', 'm');
    expect(started().env['ANTHROPIC_AUTH_TOKEN']).not.toBe(token);
  });

  test('configures Codex through its arguments, with the context', async () => {
    const { daemon, launch, started } = await world('codex');
    expect((await launch('codex', '--model', 'm', '--', 'exec', 'hello')).code).toBe(0);
    const { args, env } = started();
    expect(args.slice(-2)).toEqual(['exec', 'hello']);
    expect(args).toEqual(expect.arrayContaining(['model="m"', 'model_context_window=65536']));
    expect(args.join(' ')).toContain(`base_url = "${daemon.baseURL}"`);
    expect(env['ASKD_API_KEY']).toMatch(/^ask_/);
  });

  test("makes a client trust the daemon's certificate in addition to those its user trusts", async () => {
    const [tls, others] = [selfSigned(), selfSigned()];
    const more = { NODE_EXTRA_CA_CERTS: others.file };
    const { launch, started } = await world('claude', { tls, more });
    await launch('claude', '--model', 'm');
    expect(started().answer).toBe(200);
    const trusted = readFileSync(started().env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8');
    expect([trusted.includes(tls.cert), trusted.includes(others.cert)]).toEqual([true, true]);
    const { stdout } = await launch('codex', '--model', 'm', '--print');
    expect(stdout).toMatch(/^export CODEX_CA_CERTIFICATE=\S+certificates\.pem$/m);
    expect((await launch('zed', '--model', 'm', '--print')).stderr).toContain('certificates.pem');
  });

  test('prints what it would do, for a shell and for a script, and starts nothing', async () => {
    const { launch } = await world('nothing');
    const { stdout, code } = await launch('opencode', '--model', 'm', '--print');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^export OPENCODE_CONFIG_CONTENT='\{.*\}'\nopencode\n$/),
    ]);
    const { stdout: json } = await launch('aider', '--model', 'm', '--print', '--json');
    expect(JSON.parse(json)).toMatchObject({
      schema: 'launch/1',
      client: 'aider',
      command: ['aider', '--model', 'openai/m', '--no-show-model-warnings'],
      context_tokens: 65_536,
    });
  });

  test("shows what it changes in a client's file, and restores it byte for byte", async () => {
    const { user, launch, started } = await world('zed');
    const file = join(user, '.config', 'zed', 'settings.json');
    const before =
      '// mine\n{\n  "theme": "One", // and this\n  "language_models": { "ollama": { "api_url": "x" } },\n}\n';
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
    const unasked = await launch('zed', '--model', 'm');
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('+       "askd": {')]);
    expect(readFileSync(file, 'utf8')).toBe(before);

    expect((await launch('zed', '--model', 'm', '--yes')).code).toBe(0);
    const after = readFileSync(file, 'utf8');
    expect(after).toContain('"theme": "One", // and this');
    expect(after).toMatch(/"ollama": \{\s+"api_url": "x"\s+\},\s+"openai_compatible"/);
    expect(started().env['ASKD_API_KEY']).toMatch(/^ask_/);

    expect((await launch('zed', '--model', 'm', '--yes')).stderr).not.toContain('askd changes it');
    expect((await launch('zed', '--restore')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await launch('zed', '--restore')).stdout).toContain('has not changed any file');
  });

  test('removes a file that it created, and leaves one that was changed since', async () => {
    const { user, launch } = await world('code');
    const file = join(user, '.continue', 'config.yaml');
    await launch('continue', '--model', 'm', '--yes');
    expect(readFileSync(file, 'utf8')).toContain('name: askd');
    writeFileSync(file, `${readFileSync(file, 'utf8')}# mine\n`);
    const { code, stderr } = await launch('continue', '--restore');
    expect([code, stderr]).toEqual([1, expect.stringContaining('--restore --force')]);
    await launch('continue', '--restore', '--force');
    expect(existsSync(file)).toBe(false);
  });

  test("passes its file to Continue's command line, which would otherwise ask its user to sign in", async () => {
    const { daemon, user, launch, started } = await world('cn');
    const file = join(user, '.continue', 'config.yaml');
    await launch('cn', '--model', 'm', '--yes', '--', '-p', 'hello');
    expect(started().args).toEqual(['--config', file, '-p', 'hello']);
    expect(readFileSync(file, 'utf8')).toContain(`apiBase: ${daemon.baseURL}`);
  });

  test("adds one model to Continue's file and keeps comments and other models", async () => {
    const { user, launch } = await world('code');
    const file = join(user, '.continue', 'config.yaml');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'name: Mine # yes\nmodels:\n  - name: other\n    provider: ollama\n    model: x\n');
    await launch('continue', '--model', 'm', '--yes');
    await launch('continue', '--model', 'm', '--yes');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('name: Mine # yes');
    expect(text.match(/- name: /g)).toHaveLength(2);
    writeFileSync(file, 'models: none');
    expect((await launch('continue', '--model', 'm', '--yes')).stderr).toContain('not a valid YAML');
  });

  test('refuses a model whose context is too small, with the command that helps, unless forced', async () => {
    const { launch } = await world('claude', { context: '4096' });
    const refused = await launch('claude', '--model', 'm');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('model_context_tokens auto')]);
    expect(refused.stderr).toContain('needs a context of 32,768 tokens; m has 4,096 here');
    expect((await launch('claude', '--model', 'm', '--force')).code).toBe(0);
  });

  test('says how to install a missing client, and names what is not a client', async () => {
    const { launch } = await world('something');
    const missing = await launch('claude', '--model', 'm');
    expect([missing.code, missing.stderr]).toEqual([
      5,
      expect.stringContaining('npm install -g @anthropic-ai/claude-code'),
    ]);
    expect((await launch('cloude')).stderr).toContain('Did you mean claude?');
    expect((await launch()).stdout).toContain('Claude Code');
    expect((await launch('claude', '--model', 'nobody')).code).toBe(5);
  });
});
