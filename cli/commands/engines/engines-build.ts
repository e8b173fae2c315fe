import { availableParallelism } from 'node:os';
import { LLAMA_BUILD_GPUS, type LlamaBuildGpu } from '../../../src/config/llama-build.ts';
import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { buildEngine, type BuildLine } from '../../models/engines/build-engine.ts';
import type { Output } from '../../output/output.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type Options = { jobs?: number; gpu?: LlamaBuildGpu };

export const enginesBuild = command<Options>({
  name: 'engines build',
  group: 'Models:',
  summary: 'compile the engine of chat models for this very machine',
  details:
    'From the sources that came with askd, without the network: with the instructions of this processor, with OpenMP, and ' +
    'for a graphics card whose toolkit is installed. It takes minutes to hours; what was interrupted goes on when it is ' +
    'asked for again. The result is used for models that are loaded from then on, and only when it says the same as the ' +
    'prebuilt engine. Take it away with askd engines remove llama-build.',
  examples: ['askd engines build', 'askd engines build --jobs 2', 'askd engines build --gpu cuda'],
  configure(commander) {
    commander
      .option('--jobs <count>', 'files that are compiled at the same time', integerBetween(1, 1024))
      .addOption(
        commander
          .createOption('--gpu <kind>', 'for this kind of card; without it, for the one that is there')
          .choices([...LLAMA_BUILD_GPUS]),
      );
  },
  async run(context, { options: { jobs = availableParallelism(), gpu } }) {
    refuseHost(context, 'engines build');
    const { environment, output, paths, signal } = context;
    const report = createReporter(output);
    const done = await buildEngine({
      order: { engines: paths.engines, jobs, ...(gpu && { gpu }) },
      ...{ env: environment.env, signal, onLine: report },
    });
    output.result({ schema: 'engines-build/1', ...done }, () =>
      [
        `The engine is compiled: ${done.folder}`,
        `graphics card: ${done.gpu}; OpenMP: ${done.openmp ? 'yes' : 'no, the compiler has none'}`,
        done.compared
          ? 'Its first token is that of the prebuilt engine. Models that are loaded from now on use it.'
          : 'It runs; there is no prebuilt engine to compare it with. Models that are loaded from now on use it.',
        'To load them anew: askd restart',
      ].join('\n'),
    );
  },
});

const STEPS: Record<string, string> = {
  tools: 'looking for the tools',
  sources: 'unpacking the sources',
  check: 'comparing it with the prebuilt engine',
};

/** A note for each step and each percent. */
function createReporter(output: Output): (line: BuildLine) => void {
  let reported = '';
  return ({ step, percent }) => {
    const text = step === 'compile' ? `compiling: ${percent ?? 0} %` : (STEPS[step] ?? '');
    if (text === reported || text === '') return;
    reported = text;
    output.note(text);
  };
}
