import { findLlamaBuild, processorFlags } from '../../src/config/llama-build.ts';
import type { Check } from './check.ts';

/** Instruction sets newer than those of the prebuilt engine's baseline; it has builds for most of them. */
const YOUNG = /^(avx512|avx_vnni|avxvnni|amx|sve|sme|i8mm|bf16)/;

export const checkLlamaBuild: Check = ({ paths }) => {
  const build = findLlamaBuild(paths.engines);
  const check = 'engine llama, build';
  if (build) {
    const openmp = build.openmp ? ', with OpenMP' : '';
    const card = build.gpu === 'none' ? '' : `, for ${build.gpu}`;
    return [{ check, level: 'ok', message: `compiled on this machine${openmp}${card}, in ${build.folder}` }];
  }
  const flags = processorFlags().filter((flag) => YOUNG.test(flag));
  const reason =
    flags.length > 0 ? ` This CPU has ${flags.join(', ')}, which a local build can use throughout.` : '';
  return [
    {
      check,
      level: 'ok',
      message:
        `prebuilt. A local build uses OpenMP and all instructions of this CPU, which may be faster ` +
        `or not; to compare: askd engines build.${reason}`,
    },
  ];
};
