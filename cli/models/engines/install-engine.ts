import type { EngineInfo, EngineInstallation, EngineRequest } from '../../../src/api/management/engines.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import { formatBytes } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';

const STEP_PERCENT = 10;

/** Installs an engine with its progress on stderr. */
export async function installEngine(
  client: Client,
  { name, gpu }: { name: string } & EngineRequest,
  { output }: { output: Output },
): Promise<EngineInfo> {
  const report = createReporter(output);
  let last: EngineInstallation | undefined;
  for await (last of client.installEngine(name, gpu === undefined ? {} : { gpu })) report(last);
  if (last?.state !== 'done') throw interrupted(name);
  return last.engine;
}

/** Prints every tenth. */
function createReporter(output: Output): (installation: EngineInstallation) => void {
  let reported = -1;
  return ({ state, package: fetching, bytes_received: received, bytes_total: total }) => {
    if (state === 'done' || total === 0) return;
    const step = Math.floor((received * 100) / total / STEP_PERCENT);
    if (step <= reported) return;
    reported = step;
    const percent = `${step * STEP_PERCENT}%`.padStart(4);
    output.note(`${percent}  ${formatBytes(received)} of ${formatBytes(total)}  ${fetching ?? ''}`);
  };
}

function interrupted(name: string): Failure {
  return new Failure(
    'daemon_unreachable',
    `The daemon stopped before the engine was complete. To resume: askd engines install ${name}`,
  );
}
