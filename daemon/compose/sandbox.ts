import type { Settings } from '../../src/config/config.ts';
import type { Log } from '../../src/log/log.ts';
import { createSandbox } from '../../src/runtime/sandbox/sandbox.ts';

/** The sandbox in which runners start. The log says once if there is none. */
export function composeSandbox({ settings, log }: { settings: Settings; log: Log }) {
  return createSandbox({
    mode: settings.sandbox,
    home: settings.paths.home,
    memoryBytes: settings.memoryBudgetBytes,
    onMissing: ({ reason, fix }) =>
      log.warn(
        { reason, fix },
        `models run without a sandbox: ${reason}${fix ? `. To change that: ${fix}` : ''}`,
      ),
  });
}
