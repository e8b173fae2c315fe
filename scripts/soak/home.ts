import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DISK_BYTES = 256 * 1024 * 1024;
const BLOCK_BYTES = 1024 * 1024;

export type SoakHome = ReturnType<typeof openHome>;

/** A home on a small disk of its own, if mounting is allowed, so that the disk can be filled. */
export function openHome() {
  const beside = mkdtempSync(join(tmpdir(), 'askd-soak-'));
  const folder = join(beside, 'home');
  mkdirSync(folder, { mode: 0o700 });
  const isSmall = mount(folder);
  const filler = join(folder, 'filler');
  const clockFile = join(beside, 'clock');
  return {
    folder,
    /** For files that the daemon reads and does not own. */
    beside,
    /** Undefined if the home is on the machine's own disk, which must not be filled. */
    fill: isSmall ? () => fillUp(filler, folder) : undefined,
    free: () => rmSync(filler, { force: true }),
    /** The offset of the daemon's clock. */
    clockFile,
    setClock: (offsetMs: number) => writeFileSync(clockFile, String(offsetMs)),
    log: () => readFileSync(join(folder, 'logs', 'askd.log'), 'utf8'),
    close(): void {
      if (isSmall) execFileSync('umount', ['-l', folder]);
      rmSync(beside, { recursive: true, force: true });
    },
  };
}

function mount(folder: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** To the last block. */
function fillUp(filler: string, folder: string): void {
  try {
    for (;;)
      writeFileSync(filler, Buffer.alloc(statfsSync(folder).bavail > 256 ? BLOCK_BYTES : 4096), {
        flag: 'a',
      });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
