import { formatTokens } from '../../output/format.ts';
import { locate, readMentioned } from './read.ts';

export type Counts = ReturnType<typeof createCounts>;

type Parts = {
  model: () => string;
  countTokens: (text: string) => Promise<number | undefined>;
  /** There is more to show. */
  changed: () => void;
};

/** How many tokens files and folders have, counted one after another while the user continues typing. */
export function createCounts({ model, countTokens, changed }: Parts) {
  const known = new Map<string, string>();
  let wanted: readonly string[] = [];
  let isCounting = false;

  function keyOf(path: string): string | undefined {
    const found = locate(path);
    return found && `${model()} ${found.file} ${found.stats.mtimeMs} ${found.stats.size}`;
  }

  async function count(): Promise<void> {
    if (isCounting) return;
    isCounting = true;
    for (let path = next(); path !== undefined; path = next()) {
      const key = keyOf(path) ?? path;
      known.set(key, await describe(path));
      changed();
    }
    isCounting = false;
  }

  const next = () => wanted.find((path) => !known.has(keyOf(path) ?? path));

  async function describe(path: string): Promise<string> {
    const found = locate(path);
    if (found === undefined) return '';
    const read = await readMentioned(path, found.file, found.stats);
    if (read.kind === 'refused') return read.reason;
    if (read.kind === 'image') return 'image';
    const tokens = await countTokens(read.text);
    return tokens === undefined ? read.about : `${read.about}, ${formatTokens(tokens)}`;
  }

  return {
    /** The known counts of these; the others are being counted. */
    of(paths: readonly string[]): Map<string, string> {
      wanted = paths;
      void count();
      return new Map(
        paths.flatMap((path) => {
          const about = known.get(keyOf(path) ?? path);
          return about === undefined ? [] : [[path, about] as const];
        }),
      );
    },
  };
}
