import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { searchDocs } from '../../src/api/management/docs.ts';
import { percentile, reportLines, type Figure } from './accounts/report.ts';
import { word, writeNotes, writePages } from './agent/documents.ts';
import { measureRuns } from './agent/run.ts';
import { startAskd, type Askd } from './overhead/askd.ts';
import { watchDelays } from './text/delays.ts';

const PAGES = 100;
const SEARCHES = 200;
const INDEX_SECONDS_MAX = 10;
const SEARCH_MS_MAX = 20;
const DELAY_MS_MAX = 20;
const NOTES = 'notes';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-agent-'));
try {
  const load = [loadavg()[0] ?? 0];
  const figures: Figure[] = [];
  if (!options.json) console.log(`${availableParallelism()} cores, load ${load[0]?.toFixed(1)}`);
  for await (const figure of measure()) {
    figures.push(figure);
    if (!options.json) console.log(reportLines([figure])[0]);
  }
  load.push(loadavg()[0] ?? 0);
  if (options.json) console.log(JSON.stringify({ load, figures }, null, 2));
  else console.log(`load ${load[1]?.toFixed(1)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The cost of indexing and searching local documents, web pages and notes, and of a run without its model. */
async function* measure(): AsyncGenerator<Figure> {
  const delays = watchDelays(folder);
  await using askd = await startAskd({ ...delays.settings, ASKD_STARTER: 'off' });
  const add = async (what: string) => {
    await delays.read(askd.pid);
    const from = performance.now();
    const args = ['docs', 'add', path.join(folder, what), '--collection', what];
    const { collection } = (await askd.run(...args)) as { collection: { passages: number } };
    const seconds = (performance.now() - from) / 1000;
    return { seconds, passages: collection.passages, lateMs: (await delays.read(askd.pid)).p99Ms };
  };
  writePages(path.join(folder, 'pages'), PAGES);
  writeNotes(path.join(folder, NOTES), options.quick ? 2_000 : 10_000);
  const pages = await add('pages');
  yield { label: `${PAGES} web pages of 60 KB read and indexed`, unit: '/s', value: PAGES / pages.seconds };
  yield late('it reads them', pages.lateMs);
  const notes = await add(NOTES);
  yield {
    label: `${notes.passages} passages of notes indexed, for 10,000`,
    unit: 's',
    value: (notes.seconds * 10_000) / notes.passages,
    goal: { atMost: INDEX_SECONDS_MAX },
  };
  yield late('it indexes them', notes.lateMs);
  yield* measureSearch(askd);
  yield* measureRuns(askd, NOTES, options.quick ? 1 : 3);
}

function late(label: string, value: number): Figure {
  const goal = { atMost: DELAY_MS_MAX };
  return { label: `event loop late while ${label}, p99`, unit: 'ms', value, goal };
}

async function* measureSearch(askd: Askd): AsyncGenerator<Figure> {
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
  yield { label: 'a search over HTTP, median', unit: 'ms', value: percentile(latencies, 0.5), goal };
  yield { label: 'a search over HTTP, p99', unit: 'ms', value: percentile(latencies, 0.99) };
}
