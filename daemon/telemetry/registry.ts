/** Label values by name. Only values from a bounded set, since each combination creates a series. */
export type Labels = Readonly<Record<string, string>>;

type Kind = 'counter' | 'gauge' | 'histogram';
type Family = { name: string; help: string; kind: Kind; lines: () => string[] };

export type Registry = ReturnType<typeof createRegistry>;

/** Beyond this, a family accepts no more series: a mistake in a label must not fill the memory. */
const SERIES_MAX = 2000;

/** Metrics in the text format of Prometheus. */
export function createRegistry() {
  const families: Family[] = [];

  function add(family: Family): void {
    if (families.some(({ name }) => name === family.name)) throw new Error(`${family.name} is there already`);
    families.push(family);
  }

  function counter<Name extends string>(name: string, help: string, names: readonly Name[] = []) {
    const series = createSeries(names, () => ({ value: 0 }));
    add({
      name,
      help,
      kind: 'counter',
      lines: () => series.map((labels, { value }) => [line(name, labels, value)]),
    });
    return (labels: Record<Name, string>, by = 1): void => {
      const one = series.at(labels);
      if (one) one.value += by;
    };
  }

  /** Read when the metrics are scraped. */
  const gauge = (
    name: string,
    help: string,
    read: () => readonly (readonly [Labels, number])[],
    kind: Kind = 'gauge',
  ): void => {
    const lines = () => read().map(([labels, value]) => line(name, labelText(labels), value));
    add({ name, help, kind, lines });
  };

  function histogram<Name extends string>(
    name: string,
    help: string,
    { buckets, labels: names }: { buckets: readonly number[]; labels: readonly Name[] },
  ) {
    const series = createSeries(names, () => ({
      counts: new Array<number>(buckets.length + 1).fill(0),
      sum: 0,
    }));
    add({
      name,
      help,
      kind: 'histogram',
      lines: () => series.map((labels, one) => histogramLines(name, labels, { buckets, ...one })),
    });
    return (labels: Record<Name, string>, value: number): void => {
      const one = series.at(labels);
      if (!one) return;
      let place = 0;
      while (value > (buckets[place] ?? Infinity)) place += 1;
      one.counts[place] = (one.counts[place] ?? 0) + 1;
      one.sum += value;
    };
  }

  function text(): string {
    const blocks = families.map(({ name, help, kind, lines }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines()].join('\n'),
    );
    return `${blocks.join('\n')}\n`;
  }

  return { counter, gauge, histogram, text };
}

type Node<Value> = { below: Map<string, Node<Value>>; value: Value | undefined };

const newNode = <Value>(): Node<Value> => ({ below: new Map(), value: undefined });

/** The series of one family, as nested maps by label: joining labels would hash a new string for every request. */
function createSeries<Name extends string, Value>(names: readonly Name[], create: () => Value) {
  const root = newNode<Value>();
  const all: { labels: string; value: Value }[] = [];
  if (names.length === 0) at({} as Record<Name, string>);

  function at(labels: Record<Name, string>): Value | undefined {
    let node = root;
    for (const name of names) {
      let next = node.below.get(labels[name]);
      if (!next) {
        if (all.length >= SERIES_MAX) return undefined;
        next = newNode();
        node.below.set(labels[name], next);
      }
      node = next;
    }
    return (node.value ??= open(labels));
  }

  function open(labels: Record<Name, string>): Value {
    const value = create();
    all.push({ labels: labelText(Object.fromEntries(names.map((name) => [name, labels[name]]))), value });
    return value;
  }

  const map = (write: (labels: string, value: Value) => string[]) =>
    all.flatMap(({ labels, value }) => write(labels, value));
  return { at, map };
}

type Histogram = { buckets: readonly number[]; counts: readonly number[]; sum: number };

function histogramLines(name: string, labels: string, { buckets, counts, sum }: Histogram): string[] {
  let total = 0;
  const lines = [...buckets, Infinity].map((most, place) => {
    total += counts[place] ?? 0;
    const limit = `le="${most === Infinity ? '+Inf' : most}"`;
    return line(`${name}_bucket`, labels === '' ? limit : `${labels},${limit}`, total);
  });
  return [...lines, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, total)];
}

function line(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`;
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
