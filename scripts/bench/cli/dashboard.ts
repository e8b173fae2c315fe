import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPty, type Pty, type Size } from '../../terminal/pty.ts';
import { processorMs } from '../overhead/askd.ts';

const TIMEOUT_MS = 120_000;
const POLL_MS = 20;

export type Dashboard = Awaited<ReturnType<typeof openDashboard>>;

type Wanted = { askd: string; args: string; size: Size; env: Record<string, string>; folder: string };

/** `askd tui` on a terminal of its own. */
export async function openDashboard({ askd, args, size, env, folder }: Wanted) {
  const pidFile = path.join(folder, 'tui-pid');
  const startedAt = performance.now();
  const run = `sh -c "echo \\$\\$ > ${pidFile}; exec ${process.execPath} ${askd} tui ${args}"`;
  const pty = openPty(run, size, env);
  const firstFrameMs = await timeOf(pty, /\[\d \w+\]/, startedAt);
  const firstStatusMs = await timeOf(pty, /● up /, startedAt);
  const pid = Number(await readFile(pidFile, 'utf8'));
  return {
    firstFrameMs,
    firstStatusMs,
    shows: (wanted: RegExp) => timeOf(pty, wanted, startedAt),
    memory: async () => memoryOf(pid),
    /** What the dashboard drew and used during an action. */
    async during(work: () => Promise<void>) {
      const [from, cpuFrom] = [performance.now(), await processorMs(pid)];
      const paints: string[] = [];
      const stop = pty.onOutput((part) => void paints.push(part));
      await work();
      stop();
      const seconds = (performance.now() - from) / 1000;
      const output = paints.join('');
      return {
        processorShare: ((await processorMs(pid)) - cpuFrom) / 1000 / seconds,
        bytesPerSecond: Buffer.byteLength(output) / seconds,
        redraws: fullRedraws(output, size.rows),
      };
    },
    /** From a key to the end of the first frame that shows its effect. */
    timeOfKey: (key: string, shows: RegExp) => timeOfKey(pty, key, shows),
    end: pty.end,
    async leave(): Promise<void> {
      pty.type('q');
      await timeOf(pty, /ended with 0/, startedAt);
      pty.end();
    },
  };
}

// eslint-disable-next-line no-control-regex -- control sequences are what it matches
const SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]/g;
const FRAME_END = '\u001b[?2026l';

function timeOfKey(pty: Pty, key: string, shows: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    const pressedAt = performance.now();
    const giveUp = setTimeout(
      () => reject(new Error(`${key} did not show ${String(shows)}, but:\n${pty.text()}`)),
      TIMEOUT_MS,
    );
    let output = '';
    const stop = pty.onOutput((part) => {
      output += part;
      const frames = output.slice(0, Math.max(0, output.lastIndexOf(FRAME_END)));
      if (!shows.test(frames.replace(SEQUENCE, ''))) return;
      clearTimeout(giveUp);
      stop();
      resolve(performance.now() - pressedAt);
    });
    pty.type(key);
  });
}

/** Paints that write every line, and anything that erases the screen. */
function fullRedraws(output: string, rows: number): number {
  // eslint-disable-next-line no-control-regex -- control sequences are what it matches
  const erased = output.match(/\u001b\[[23]?J/g)?.length ?? 0;
  const whole = output.split('\u001b[?2026h').filter((paint) => {
    // eslint-disable-next-line no-control-regex -- the same
    return (paint.match(/\u001b\[\d+;1H/g)?.length ?? 0) >= rows - 1;
  });
  return erased + whole.length;
}

async function timeOf(pty: Pty, wanted: RegExp, startedAt: number): Promise<number> {
  while (!wanted.test(pty.text())) {
    if (performance.now() - startedAt > TIMEOUT_MS)
      throw new Error(`The dashboard did not show ${String(wanted)}, but:\n${pty.text()}`);
    await sleep(POLL_MS);
  }
  return performance.now() - startedAt;
}

/** Resident memory in MB, current and peak; NaN if there is no /proc. */
async function memoryOf(pid: number): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN) * 1024) / 1e6;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}
