import { readFileSync } from 'node:fs';

/** bubblewrap starts its own init, which starts the runner. */
const LEVELS = 2;

/** The process inside, as seen from outside the namespace: this is the pid that people see and signal. */
export function findChild(pid: number): number {
  let inner = pid;
  for (let level = 0; level < LEVELS; level++) inner = firstChild(inner) ?? inner;
  return inner;
}

function firstChild(pid: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return Number(first) || undefined;
  } catch {
    return undefined;
  }
}
