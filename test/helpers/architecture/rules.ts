import type { Rule } from './project.ts';
import { crowding } from './rules/crowding.ts';
import { cycles } from './rules/cycles.ts';
import { exportsRule } from './rules/exports.ts';
import { floors } from './rules/floors.ts';
import { lengths } from './rules/lengths.ts';
import { map } from './rules/map.ts';
import { names } from './rules/names.ts';
import { packages } from './rules/packages.ts';
import { reachable } from './rules/reachable.ts';
import { reserved } from './rules/reserved.ts';
import { sizes } from './rules/sizes.ts';
import { vocabulary } from './rules/vocabulary.ts';
import { words } from './rules/words.ts';

export const RULES: readonly Rule[] = [
  { name: 'floors', check: floors },
  { name: 'packages', check: packages },
  { name: 'cycles', check: cycles },
  { name: 'sizes', check: sizes },
  { name: 'reserved', check: reserved },
  { name: 'names', check: names },
  { name: 'exports', check: exportsRule },
  { name: 'words', check: words },
  { name: 'vocabulary', check: vocabulary },
  { name: 'lengths', check: lengths },
  { name: 'crowding', check: crowding },
  { name: 'map', check: map },
  { name: 'reachable', check: reachable },
];
