import { Failure } from '../../src/base/errors.ts';
import type { CliEnvironment } from '../environment.ts';

/** For commands that act on this machine's own daemon: rejects flags that would be ignored. */
export function refuseHost({ options }: Pick<CliEnvironment, 'options'>, name: string): void {
  if (options.host === undefined) return;
  throw new Failure(
    'unsupported_parameter',
    `askd ${name} works on the local daemon only and does not take --host.`,
  );
}
