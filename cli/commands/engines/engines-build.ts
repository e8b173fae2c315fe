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
  summary: 'compile the chat engine for this machine',
  details:
    'Builds the llama.cpp sources that ship with askd, offline, with the instructions of this CPU, OpenMP, and support ' +
    'for a GPU whose toolkit is installed. This takes minutes to hours; an interrupted build resumes when you run it ' +
    'again. Models loaded afterwards use the build, but only if its output matches the prebuilt engine. With ' +
    'exact_vectors off, it evaluates several texts of an embedding request together, as the prebuilt engine cannot. ' +
    'To remove it: askd engines remove llama-build',
  examples: ['askd engines build', 'askd engines build --jobs 2', 'askd engines build --gpu cuda'],
  configure(commander) {
    commander
      .option('--jobs <count>', 'number of parallel compile jobs', integerBetween(1, 1024))
      .addOption(
        commander
          .createOption('--gpu <kind>', 'GPU backend (default: the GPU of this machine)')
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
        `The engine is built: ${done.folder}`,
        `GPU: ${done.gpu}; OpenMP: ${done.openmp ? 'yes' : 'no, the compiler does not support it'}`,
        done.compared
          ? 'Its first token matches the prebuilt engine. Models loaded from now on use it.'
          : 'It runs; there is no prebuilt engine to compare it with. Models loaded from now on use it.',
        'To reload the models in memory: askd restart',
      ].join('\n'),
    );
  },
});

const STEPS: Record<string, string> = {
  tools: 'looking for the build tools',
  sources: 'unpacking the sources',
  check: 'comparing it with the prebuilt engine',
};

/** Prints each step and each percent. */
function createReporter(output: Output): (line: BuildLine) => void {
  let reported = '';
  return ({ step, percent }) => {
    const text = step === 'compile' ? `compiling: ${percent ?? 0} %` : (STEPS[step] ?? '');
    if (text === reported || text === '') return;
    reported = text;
    output.note(text);
  };
}
