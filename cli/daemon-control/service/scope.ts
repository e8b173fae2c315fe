import type { Command as Commander } from 'commander';
import { Failure } from '../../../src/base/errors.ts';
import { homePaths } from '../../../src/base/paths.ts';
import type { Context } from '../../context.ts';
import { SYSTEM_HOME } from './systemd.ts';

export type ScopeOptions = { system?: true };

export function addScope(commander: Commander): void {
  commander.option('--system', `the service of the whole machine, with its home in ${SYSTEM_HOME}`);
}

/** The context of the selected service: `--system` also selects its home. */
export function inScope(context: Context, { system }: ScopeOptions): Context {
  if (!system) return context;
  if (process.platform !== 'linux') {
    throw new Failure('unsupported_parameter', 'askd has a service of the whole machine on Linux only.', {
      details: { fix: 'askd service install' },
    });
  }
  return { ...context, paths: homePaths(SYSTEM_HOME) };
}

export function requireRoot(command: string): void {
  if (process.getuid?.() === 0) return;
  throw new Failure('config_invalid', 'Only root can change the service of the whole machine.', {
    details: { fix: `sudo ${command}` },
  });
}
