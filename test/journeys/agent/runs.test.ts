import { execa } from 'execa';
import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { endlessModel } from '../../helpers/models/models.ts';
import { openTerminal } from '../../helpers/terminal/terminal.ts';
import { leastOf } from '../../helpers/timing.ts';

const MINUTES_MS = 240_000;
const FREE_MS_MAX = 500;
const TRIES = 8;

type Ps = { models: { busy: number }[] };
type Runs = { runs: { id: string; status: string; stopped: string }[] };

const ARGUMENTS = ['agent', 'what?', '--mode', 'chat', '--model', 'endless'];

/** A daemon with a model that never ends its answer, and a count of its running requests. */
async function withEndless() {
  const installation = install();
  const { askd, environment } = installation;
  const { path } = await endlessModel();
  const { base_url: baseUrl } = (await askd(['up', '--json'])).json<{ base_url: string }>();
  await askd(['import', path, '--id', 'endless', '--no-check']);
  const create = ['keys', 'create', '--name', 'watch', '--scopes', 'admin', '--json'];
  const { key } = (await askd(create)).json<{ key: string }>();
  const busy = async () => {
    const url = new URL('/api/daemon/ps', baseUrl);
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as Ps).models.reduce((sum, model) => sum + model.busy, 0);
  };
  return {
    ...installation,
    isBusy: (wanted: number) => expect.poll(busy, { timeout: 60_000, interval: 5 }).toBe(wanted),
    start: () =>
      execa(process.execPath, [binFile('askd.js'), ...ARGUMENTS], { env: environment, reject: false }),
    runs: async () => (await askd(['agent', 'list', '--json'])).json<Runs>().runs,
  };
}

test('Ctrl-C ends an agent run in the daemon, and frees the model', { timeout: MINUTES_MS }, async () => {
  const { environment, isBusy, start, runs } = await withEndless();
  let started = 0;
  const freedAfter = async () => {
    const running = start();
    started += 1;
    await isBusy(1);
    const left = performance.now();
    running.kill('SIGINT');
    await isBusy(0);
    const tookMs = performance.now() - left;
    expect(await running).toMatchObject({ exitCode: 130, stdout: '' });
    return tookMs;
  };
  expect(await leastOf(TRIES, freedAfter, { enough: FREE_MS_MAX })).toBeLessThan(FREE_MS_MAX);

  const node = `"${process.execPath}" "${binFile('askd.js')}"`;
  const terminal = openTerminal(`${node} ${ARGUMENTS.join(' ')}`, { columns: 80, rows: 24 }, environment);
  await isBusy(1);
  terminal.type('\x03');
  await isBusy(0);
  await terminal.shows('· Writing the answer');

  const shown = await runs();
  expect(shown).toHaveLength(started + 1);
  for (const run of shown) expect(run).toMatchObject({ status: 'cancelled', stopped: 'cancelled' });
});

test(
  'a run that the daemon did not survive is reported as interrupted',
  { timeout: MINUTES_MS },
  async () => {
    const { askd, isBusy, start, runs, daemonPid } = await withEndless();
    const running = start();
    await isBusy(1);
    process.kill(daemonPid(), 'SIGKILL');
    const { exitCode, stderr } = await running;
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('error: ')]);
    expect((await askd(['up'])).exitCode).toBe(0);
    const [run] = await runs();
    expect(run).toMatchObject({ status: 'interrupted' });
    const attached = await askd(['agent', 'attach', run?.id ?? '']);
    expect([attached.exitCode, attached.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('The daemon stopped during this run'),
    ]);
    expect(attached.exitCode).not.toBe(0);
  },
);
