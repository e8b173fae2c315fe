import type { EngineInstallation, EngineRequest } from '../../../src/api/management/engines.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { formatBytes } from '../../output/format.ts';
import { parseEvent } from '../../../src/api/http/http.ts';
import type { Output } from '../../output/output.ts';

export const enginesInstall = command<EngineRequest>({
  name: 'engines install',
  group: 'Models:',
  summary: 'install an optional engine from the npm registry',
  details:
    'Installs exact versions into the askd home, each verified against a hash in this askd. An interrupted download ' +
    'resumes when you run it again. --gpu adds the build for a GPU.',
  examples: [
    'askd engines install vision',
    'askd engines install vision --gpu cuda',
    'askd engines install diffusion',
  ],
  configure(commander) {
    commander
      .argument('<engine>', 'engine, from askd engines list')
      .addOption(
        commander.createOption('--gpu <kind>', 'add the build for this GPU').choices(['vulkan', 'cuda']),
      );
  },
  async run({ connect, output }, { args: [name = ''], options: { gpu } }) {
    const client = await connect();
    const report = createReporter(output);
    let last: EngineInstallation | undefined;
    for await (const data of client.installEngine(name, gpu === undefined ? {} : { gpu })) {
      last = parseEvent<EngineInstallation>(data);
      report(last);
    }
    if (last?.state !== 'done') throw interrupted(name);
    const { engine } = last;
    output.result(
      { schema: 'engines-install/1', ...engine },
      () => `The engine "${engine.name}" ${engine.version} is installed: ${engine.path ?? ''}`,
    );
  },
});

const STEP_PERCENT = 10;

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
