import { createKeptStore } from './kept-store.ts';
import { EMPTY, restored } from './playground.ts';

export const {
  change,
  current,
  use: usePlayground,
} = createKeptStore({ key: 'playground/chat', empty: EMPTY, restore: restored });
