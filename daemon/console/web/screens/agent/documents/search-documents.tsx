import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { DocsHits, DocsSearchRequest } from '../../../../../../src/api/management/docs.ts';
import { call } from '../../../data/api.ts';
import { Problem } from '../../../parts/problem.tsx';
import { useCollections } from '../data.ts';
import { marked } from './marked.ts';

export function SearchDocuments() {
  const { data: collections = [] } = useCollections();
  const [query, setQuery] = useState('');
  const [collection, setCollection] = useState('');
  const searching = useMutation({
    mutationFn: (body: DocsSearchRequest) => call<DocsHits>('POST', '/api/daemon/docs/search', body),
  });
  if (collections.length === 0) return null;
  return (
    <section className="card" aria-labelledby="search-documents">
      <h2 id="search-documents">Search them</h2>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          searching.mutate({ query, ...(collection !== '' && { collections: [collection] }) });
        }}
      >
        <input
          className="grow"
          type="search"
          aria-label="Search terms"
          placeholder="The passages that the agent would read"
          required
          maxLength={2000}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        <select
          className="inline"
          aria-label="Collection"
          value={collection}
          onChange={({ target }) => setCollection(target.value)}
        >
          <option value="">all collections</option>
          {collections.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button type="submit" disabled={searching.isPending}>
          Search
        </button>
      </form>
      <Problem error={searching.error} />
      <div role="status" className="hidden">
        {searching.data && `${searching.data.data.length} passages`}
      </div>
      {searching.data?.data.length === 0 && <p className="quiet">No passage matches.</p>}
      {searching.data?.data.map((hit, index) => (
        <Hit key={index} hit={hit} query={searching.variables?.query ?? ''} />
      ))}
    </section>
  );
}

function Hit({ hit, query }: { hit: DocsHits['data'][number]; query: string }) {
  const { path, title, heading, page, text } = hit;
  const where = [heading !== title && heading, page !== null && `page ${page}`].filter(Boolean).join(', ');
  return (
    <figure className="passage">
      <figcaption>
        <strong>{title}</strong> <span className="quiet small">{where}</span>
        <div className="quiet small place">{path}</div>
      </figcaption>
      <blockquote tabIndex={0}>
        {marked(text, query).map(({ text: piece, isMarked }, index) =>
          isMarked ? <mark key={index}>{piece}</mark> : piece,
        )}
      </blockquote>
    </figure>
  );
}
