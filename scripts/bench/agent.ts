import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { searchDocs } from '../../src/api/docs.ts';
import { percentile, reportLines, type Figure } from './accounts/report.ts';
import { startAskd } from './overhead/askd.ts';
import { watchDelays } from './text/delays.ts';

const PAGES = 100;
const PASSAGES_A_NOTE = 20;
const SEARCHES = 200;
const INDEX_SECONDS_MAX = 10;
const SEARCH_MS_MAX = 20;
const DELAY_MS_MAX = 20;
const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'tas', 'vu', 'sel', 'dor', 'ni', 'pa'];
const WORDS = 4_000;

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const passagesWanted = options.quick ? 2_000 : 10_000;

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-agent-'));
try {
  const load = [loadavg()[0] ?? 0];
  const figures = await measure();
  load.push(loadavg()[0] ?? 0);
  if (options.json) console.log(JSON.stringify({ load, figures }, null, 2));
  else {
    const [from, to] = load.map((value) => value.toFixed(1));
    console.log(`${availableParallelism()} cores, load ${from} to ${to}`);
    console.log(reportLines(figures).join('\n'));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** What the agent's local documents cost: reading web pages, indexing notes, and finding passages in them. */
async function measure(): Promise<Figure[]> {
  const delays = watchDelays(folder);
  await using askd = await startAskd(delays.settings);
  const add = async (what: string) => {
    await delays.read(askd.pid);
    const from = performance.now();
    const args = ['docs', 'add', path.join(folder, what), '--collection', what];
    const { collection } = (await askd.run(...args)) as { collection: { passages: number } };
    const seconds = (performance.now() - from) / 1000;
    return { seconds, passages: collection.passages, lateMs: (await delays.read(askd.pid)).p99Ms };
  };
  writePages(path.join(folder, 'pages'));
  writeNotes(path.join(folder, 'notes'));
  const pages = await add('pages');
  const notes = await add('notes');
  const late = (label: string, value: number): Figure => ({
    label: `event loop late while ${label}, p99`,
    unit: 'ms',
    value,
    goal: { atMost: DELAY_MS_MAX },
  });
  return [
    { label: `${PAGES} web pages of 60 KB read and indexed`, unit: '/s', value: PAGES / pages.seconds },
    late('it reads them', pages.lateMs),
    {
      label: `${notes.passages} passages of notes indexed, for 10,000`,
      unit: 's',
      value: (notes.seconds * 10_000) / notes.passages,
      goal: { atMost: INDEX_SECONDS_MAX },
    },
    late('it indexes them', notes.lateMs),
    ...(await measureSearch(askd)),
  ];
}

async function measureSearch(askd: Awaited<ReturnType<typeof startAskd>>): Promise<Figure[]> {
  const created = await askd.run('keys', 'create', '--name', 'control', '--scopes', 'admin');
  const { key } = created as { key: string };
  const url = new URL(searchDocs.path, askd.baseUrl);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const latencies: number[] = [];
  for (let count = 0; count < SEARCHES; count++) {
    const body = JSON.stringify({ query: `what about ${word(count * 7)} and ${word(count * 31)}?` });
    const from = performance.now();
    const answer = await fetch(url, { method: 'POST', headers, body });
    const { data } = (await answer.json()) as { data: unknown[] };
    latencies.push(performance.now() - from);
    if (data.length === 0) throw new Error('A search found nothing');
  }
  const goal = { atMost: SEARCH_MS_MAX };
  return [
    { label: 'a search over HTTP, median', unit: 'ms', value: percentile(latencies, 0.5), goal },
    { label: 'a search over HTTP, p99', unit: 'ms', value: percentile(latencies, 0.99) },
  ];
}

/** Words that follow each other as evenly as those of no language do: the hardest case for an index. */
function word(number: number): string {
  const digits = String(((number % WORDS) * 7919) % 10_000).padStart(4, '0');
  return [...digits].map((digit) => SYLLABLES[Number(digit)]).join('');
}

function paragraph(seed: number, words: number): string {
  return `${Array.from({ length: words }, (_, index) => word(seed * 131 + index * index)).join(' ')}.`;
}

function writePages(into: string): void {
  mkdirSync(into);
  for (let number = 0; number < PAGES; number++) {
    const body = Array.from({ length: 60 }, (_, index) => `<p>${paragraph(number * 60 + index, 90)}</p>`);
    const page = `<!doctype html><title>${word(number)}</title><nav><a href="/">Home</a></nav><article><h1>${word(number)}</h1>${body.join('')}</article>`;
    writeFileSync(path.join(into, `${number}.html`), page);
  }
}

/** One passage under each heading. */
function writeNotes(into: string): void {
  mkdirSync(into);
  for (let number = 0; number < passagesWanted / PASSAGES_A_NOTE; number++) {
    const parts = Array.from({ length: PASSAGES_A_NOTE }, (_, index) => {
      const seed = number * PASSAGES_A_NOTE + index;
      return `## ${word(seed)}\n\n${paragraph(seed, 60)}`;
    });
    writeFileSync(path.join(into, `${number}.md`), `# ${word(number)}\n\n${parts.join('\n\n')}\n`);
  }
}
