import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * GCC's own macros for AMX do not declare that an instruction reads through its pointer. So GCC drops or moves the
 * stores before it, and at the first tile a program dies by SIGILL, because its configuration is empty. These macros
 * declare it.
 */
const HEADER = String.raw`#if defined(__GNUC__) && !defined(__clang__) && defined(__AMX_TILE__)
#include <immintrin.h>
#undef _tile_loadconfig
#define _tile_loadconfig(config) \
  __asm__ volatile("ldtilecfg\t%X0" ::"m"(*(const char(*)[64])(config)))
#undef _tile_loadd_internal
#define _tile_loadd_internal(tile, base, stride)         \
  __asm__ volatile("tileloadd\t(%0,%1,1), %%tmm" #tile   \
                   ::"r"((const void *)(base)),          \
                   "r"((long)(stride))                   \
                   : "memory")
#endif
`;

/** The flags that make C++ use AMX correctly, for any compiler and any processor. */
export function amxFlags(folder: string): string {
  const header = join(folder, 'askd-amx.h');
  writeFileSync(header, HEADER);
  return `-include "${header}"`;
}
