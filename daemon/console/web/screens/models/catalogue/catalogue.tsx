import { useState } from 'react';
import type { CatalogEntry } from '../../../../../../src/api/management/catalog.ts';
import { number } from '../../../data/format.ts';
import { Problem } from '../../../parts/problem.tsx';
import { useCatalog, type Catalog } from '../data.ts';
import { Facts } from '../facts.tsx';
import { size } from '../size.ts';
import { HubSearch } from './hub-search.tsx';
import { PullDialog } from './pull-dialog.tsx';
import { Recommended } from './recommended.tsx';

export function Catalogue() {
  const { data, error } = useCatalog();
  const [text, setText] = useState('');
  const [fitsOnly, setFitsOnly] = useState(false);
  const [pulling, setPulling] = useState<CatalogEntry>();
  const entries = data?.catalog.filter((entry) => matches(entry, text) && (entry.fits || !fitsOnly)) ?? [];
  return (
    <>
      {data && <Recommended catalog={data.catalog} />}
      <HubSearch />
      <section className="card" aria-labelledby="catalogue">
        <h2 id="catalogue">Catalogue</h2>
        {data && (
          <p className="quiet small">
            This machine has {size(data.machine.memory_bytes)} of memory; askd chooses models that fit in{' '}
            {size(data.machine.for_models_bytes)} of it, so that other programs have room.
          </p>
        )}
        {data && <p className="quiet small">{sourceText(data)}</p>}
        <div className="filters">
          <label className="field">
            <span className="label">Search the catalogue</span>
            <input
              type="search"
              value={text}
              placeholder="chat, whisper, apache…"
              onChange={({ target }) => setText(target.value)}
            />
          </label>
          <label>
            <input
              type="checkbox"
              checked={fitsOnly}
              onChange={({ target }) => setFitsOnly(target.checked)}
            />{' '}
            Fits
          </label>
        </div>
        <Problem error={error} />
        <div>
          {data &&
            entries.map((entry) => (
              <Entry key={entry.id} entry={entry} machine={data.machine} onPull={setPulling} />
            ))}
        </div>
        {data && entries.length === 0 && (
          <p className="quiet">Nothing in the catalogue matches. The hub may have it.</p>
        )}
      </section>
      {pulling && <PullDialog model={pulling.id} entry={pulling} onClose={() => setPulling(undefined)} />}
    </>
  );
}

function matches({ id, name, tasks, services, licence, engine, tier }: CatalogEntry, text: string): boolean {
  const all = [id, name, licence, engine, tier, ...tasks, ...services].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

type EntryProps = { entry: CatalogEntry; machine: Catalog['machine']; onPull: (entry: CatalogEntry) => void };

function Entry({ entry, machine, onPull }: EntryProps) {
  const { id, name, chosen_for: chosen, is_installed: isInstalled, obstacle } = entry;
  return (
    <article className="model" aria-label={id}>
      <div className="row apart">
        <span className="name">
          <strong>{id}</strong> <span className="quiet">{name}</span>{' '}
          {isInstalled && <span className="badge good">installed</span>}{' '}
          {chosen.length > 0 && <span className="badge good">chosen for {chosen.join(', ')}</span>}{' '}
          <span className={`badge ${entry.fits ? '' : 'warn'}`}>{entry.fits ? 'fits' : 'too large'}</span>
        </span>
        {!isInstalled && (
          <button
            type="button"
            disabled={obstacle !== undefined}
            aria-label={`Download ${id}`}
            onClick={() => onPull(entry)}
          >
            Download
          </button>
        )}
      </div>
      <Facts
        facts={[
          [
            'For',
            `${entry.services.join(', ') || entry.tasks.join(', ')} (${entry.tier}, by ${entry.engine})`,
          ],
          ['Listed because', entry.why ?? ''],
          ['Download', size(entry.bytes)],
          ['Memory', memoryOf(entry, machine)],
          ['Speed', speedOf(entry)],
          [
            'Licence',
            entry.licence_terms ? `${entry.licence}: ${entry.licence_terms.summary}` : entry.licence,
          ],
          ['Facts', entry.is_compared ? 'compared with the hub' : 'never compared with the hub'],
          ['Chosen because', entry.choice_reason ?? ''],
          ['Cannot run', obstacle ?? ''],
        ]}
      />
    </article>
  );
}

function sourceText({ source, problem }: Catalog): string {
  const { serial, issued, signed } = source;
  const origin = signed
    ? `signed by the key ${signed.key}, until ${signed.expires}`
    : 'the one that came with this askd';
  const lost = problem === null ? '' : ` The one that was downloaded is not used. ${problem}`;
  return `Catalogue ${serial} of ${issued}, ${origin}. To get a newer one, run askd update --catalog.${lost}`;
}

function speedOf({ expected_tokens_per_second: speed }: CatalogEntry): string {
  return speed ? `expected: ${number(speed.from)} to ${number(speed.to)} tokens/s` : '';
}

function memoryOf(
  { memory_bytes: needed, context_tokens_max: most, fits }: CatalogEntry,
  machine: Catalog['machine'],
): string {
  const tokens = Math.min(8192, most);
  const context = tokens === 0 ? '' : ` with a context of ${number(tokens)} tokens`;
  return `about ${size(needed)}${context}: ${fits ? 'fits in' : 'more than'} ${size(machine.for_models_bytes)}`;
}
