import { baseUrls } from '../../src/base/presence.ts';
import type { FoundDaemon } from './start.ts';
import { renderFields } from '../output/table.ts';

export type DaemonDescription = ReturnType<typeof describeDaemon>;

/** The JSON output of `askd up`. */
export function describeDaemon({ presence, alreadyRunning }: FoundDaemon) {
  const { pid, version } = presence;
  return { ...baseUrls(presence), pid, version, already_running: alreadyRunning };
}

export function describeDaemonText(daemon: DaemonDescription): string {
  const { version, pid, already_running: alreadyRunning } = daemon;
  return [
    `askd ${version} ${alreadyRunning ? 'was already running' : 'is running'} (pid ${pid}).`,
    renderFields([
      ['base URL', daemon.base_url],
      ['management', daemon.management_url],
    ]),
  ].join('\n');
}
