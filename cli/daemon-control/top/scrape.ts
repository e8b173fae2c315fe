/** The series of a scrape, by the name of their metric. */
export type Scrape = ReadonlyMap<string, readonly Series[]>;
export type Series = { labels: Readonly<Record<string, string>>; value: number };

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:\\.|[^"\\])*)"/g;

/** Reads Prometheus' text format. */
export function readScrape(text: string): Scrape {
  const scrape = new Map<string, Series[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value = ''] = line.startsWith('#') ? [] : (LINE.exec(line) ?? []);
    if (name === undefined) continue;
    const series = scrape.get(name) ?? [];
    scrape.set(name, series);
    series.push({ labels: readLabels(labels), value: Number(value.replace('+Inf', 'Infinity')) });
  }
  return scrape;
}

function readLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, unescaped(value)]),
  );
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

type Labels = Readonly<Record<string, string>>;

/** The sum of the series with these labels. */
export function sumOf(scrape: Scrape, name: string, labels: Labels = {}): number {
  const fits = (series: Series) =>
    Object.entries(labels).every(([key, value]) => series.labels[key] === value);
  return (scrape.get(name) ?? []).filter(fits).reduce((sum, { value }) => sum + value, 0);
}

/** The value below which this share of the observations between two scrapes lies; undefined if there are none. */
export function quantileBetween(
  before: Scrape | undefined,
  now: Scrape,
  name: string,
  share: number,
): number | undefined {
  const bucket = `${name}_bucket`;
  const limits = [...new Set((now.get(bucket) ?? []).map(({ labels }) => labels['le'] ?? ''))];
  const counts = limits.map((le) => ({
    limit: le === '+Inf' ? Infinity : Number(le),
    count: sumOf(now, bucket, { le }) - (before ? sumOf(before, bucket, { le }) : 0),
  }));
  const total = counts.at(-1)?.count ?? 0;
  if (total <= 0) return undefined;
  const place = counts.findIndex(({ count }) => count >= share * total);
  const [below, found] = [counts[place - 1] ?? { limit: 0, count: 0 }, counts[place]];
  if (!found || found.limit === Infinity) return below.limit;
  const within = (share * total - below.count) / Math.max(1, found.count - below.count);
  return below.limit + (found.limit - below.limit) * within;
}
