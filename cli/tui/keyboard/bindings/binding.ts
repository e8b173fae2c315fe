import type { ScreenId } from '../../state/state.ts';

export type Binding = {
  keys: readonly string[];
  where: 'anywhere' | ScreenId;
  action: string;
  /** For the help. */
  does: string;
  /** For the footer, if there is room. */
  short?: string;
};
