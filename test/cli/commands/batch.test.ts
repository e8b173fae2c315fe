import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chats, linesOf, toBatchLines } from '../../helpers/daemon/batches.ts';
import { openDaemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { endlessModel, scriptedModel } from '../../helpers/models/models.ts';
import { announce, runCli, startCli } from '../../helpers/terminal/cli.ts';

type Shown = {
  id: string;
  status: string;
  request_counts: { total: number; completed: number; failed: number };
};

describe('askd batch', { timeout: 120_000 }, () => {
  let daemon: ChatDaemon;
  const askd = (...args: string[]) => runCli(['batch', ...args], { home: daemon.home });
  const fileOf = (name: string, text: string): string => {
    const path = join(daemon.home, name);
    writeFileSync(path, text);
    return path;
  };

  beforeAll(async () => {
    daemon = await openDaemonWith({
      m: await scriptedModel('A short answer.'),
      endless: await endlessModel(),
    });
    announce(daemon);
  });
  afterAll(() => daemon.close());

  test('prints the answers in order, and what they cost', async () => {
    const { stdout, stderr, code } = await askd('run', fileOf('in.jsonl', linesOf(chats(3))));
    expect(code).toBe(0);
    expect(toBatchLines(stdout).map(({ custom_id }) => custom_id)).toEqual(['line-1', 'line-2', 'line-3']);
    expect(stderr).toMatch(/3 of 3 requests done, 0\.\d+ credits/);
  });

  test('writes answers and failed requests into files, and exits with 1 if any failed', async () => {
    const input = fileOf('mixed.jsonl', linesOf([...chats(1), ...chats(1, { temperature: 9 }, 2)]));
    const [out, errors] = [join(daemon.home, 'out.jsonl'), join(daemon.home, 'errors.jsonl')];
    const { stdout, code } = await askd('run', input, '--out', out, '--errors', errors, '--json');
    expect(code).toBe(1);
    const { batch } = JSON.parse(stdout) as { batch: Shown };
    expect(batch).toMatchObject({
      status: 'completed',
      request_counts: { total: 2, completed: 1, failed: 1 },
    });
    expect(toBatchLines(readFileSync(out, 'utf8'))).toMatchObject([{ custom_id: 'line-1' }]);
    expect(toBatchLines(readFileSync(errors, 'utf8'))).toMatchObject([{ response: { status_code: 400 } }]);
    const shown = await askd('show', batch.id);
    expect(shown.stdout).toMatch(/1 of 2 requests done, 1 failed/);
    expect((await askd('show', batch.id, '--output')).stdout).toBe(readFileSync(out, 'utf8'));
    expect((await askd('show', batch.id, '--errors')).stdout).toBe(readFileSync(errors, 'utf8'));
    expect((await askd('list')).stdout).toMatch(new RegExp(`${batch.id} +completed +1 of 2`));
  });

  test('says where it has written the answers', async () => {
    const out = join(daemon.home, 'answers.jsonl');
    const { stdout, stderr } = await askd('run', fileOf('written.jsonl', linesOf(chats(1))), '--out', out);
    expect([stdout, stderr]).toEqual(['', expect.stringContaining(`\nanswers: ${out}\n`)]);
  });

  test('names the faulty line, and writes nothing', async () => {
    const out = join(daemon.home, 'never.jsonl');
    const input = fileOf('twice.jsonl', linesOf([...chats(1), ...chats(1)]));
    const { stderr, code } = await askd('run', input, '--out', out);
    expect(code).toBe(2);
    expect(stderr).toMatch(/line 2: .*duplicate_custom_id/s);
    expect(existsSync(out)).toBe(false);
  });

  test.each([
    ['a file that is not there', ['run', '/nothing.jsonl'], 5],
    ['a first line that is no request', ['run', 'oops.jsonl'], 2],
    ['a place that cannot be written', ['run', 'in.jsonl', '--out', '/nothing/out.jsonl'], 5],
  ])('refuses %s before anything is sent', async (_what, args, exit) => {
    fileOf('oops.jsonl', 'oops\n');
    const paths = args.map((arg) =>
      arg.endsWith('.jsonl') && !arg.startsWith('/') ? join(daemon.home, arg) : arg,
    );
    const before = daemon.services.batches.list({ accountId: 'acct_local', keyId: null }).length;
    expect((await askd(...paths)).code).toBe(exit);
    expect(daemon.services.batches.list({ accountId: 'acct_local', keyId: null })).toHaveLength(before);
  });

  test('draws a progress bar on a terminal', { timeout: 300_000 }, async () => {
    const requests = [...chats(1, { model: 'endless', max_tokens: 1 }), ...chats(1, { model: 'endless' }, 2)];
    const input = fileOf('half.jsonl', linesOf(requests));
    const running = startCli(['batch', 'run', input], { home: daemon.home });
    await expect
      .poll(() => running.written().stderr, { timeout: 180_000, interval: 20 })
      .toMatch(/█+.* 1 of 2/);
    await askd('cancel', daemon.services.batches.open()[0]?.id ?? '');
    expect(await running.exit).toBe(1);
  });

  test('leaves a batch running on Ctrl-C, says how to return to it, and cancels it later', async () => {
    const input = fileOf('endless.jsonl', linesOf(chats(1, { model: 'endless' })));
    const running = askd('run', input);
    const open = () => daemon.services.batches.open();
    await expect.poll(() => open()[0]?.status, { timeout: 30_000, interval: 20 }).toBe('in_progress');
    process.emit('SIGINT', 'SIGINT');
    const { stderr } = await running;
    const id = open()[0]?.id ?? '';
    expect(stderr).toContain(`askd batch show ${id}`);
    expect((await askd('cancel', id)).stdout).toContain(id);
    await expect.poll(() => open(), { timeout: 30_000, interval: 20 }).toEqual([]);
  });
});
