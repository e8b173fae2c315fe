import { readdirSync } from 'node:fs';

/** The number of open files, if the system reports it; nothing elsewhere. */
export function createOpenFiles() {
  return (): number[] => {
    try {
      return [readdirSync('/proc/self/fd').length];
    } catch {
      return [];
    }
  };
}
