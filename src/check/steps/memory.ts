import { needsRunner } from '../../runtime/manifest.ts';
import { passed, skipped, weak, type Step } from '../step.ts';

/** Estimates are rough for small models, for which the runner itself takes most of the memory. */
const ALLOWED_SHARE = 1.5;
const ALLOWED_BYTES = 400_000_000;

/** Runs after the other steps, when buffers have reached their size. */
export const memory: Step = {
  name: 'memory',
  applies: ({ manifest }) => needsRunner(manifest),
  async run({ memory: measure }) {
    const { bytes, estimatedBytes } = measure();
    if (bytes === 0) return skipped('the memory was not measured yet');
    const message = `${megabytes(bytes)} in use, ${megabytes(estimatedBytes)} estimated`;
    const isMore = bytes > estimatedBytes * ALLOWED_SHARE + ALLOWED_BYTES;
    return isMore ? weak(`${message}: other models have less room than planned`) : passed(message);
  },
};

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
