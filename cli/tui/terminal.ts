import type { TerminalOutput } from '../output/output.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H\u001b[2J';
const CLEAR = '\u001b[H\u001b[2J';
const LEAVE = '\u001b[?25h\u001b[?1049l';

/** The alternate screen, restored even if the process crashes. */
export function takeScreen(stdout: TerminalOutput, isWanted: boolean) {
  let isTaken = false;
  const leave = () => {
    if (!isTaken) return;
    isTaken = false;
    stdout.write(LEAVE);
  };
  const enter = () => {
    if (!isWanted || isTaken) return;
    isTaken = true;
    stdout.write(ENTER);
  };
  process.once('exit', leave);
  enter();
  return {
    /** Before a frame of another size. */
    clear: () => void (isTaken && stdout.write(CLEAR)),
    enter,
    leave,
    release() {
      leave();
      process.off('exit', leave);
    },
  };
}
