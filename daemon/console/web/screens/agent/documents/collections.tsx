import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Collection } from '../../../../../../src/api/management/docs.ts';
import { call } from '../../../data/api.ts';
import { bytes, moment, number } from '../../../data/format.ts';
import { ActionsHeading } from '../../../parts/actions-heading.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { useOptions } from '../ask/ask-form.tsx';
import { useCollections, useRefresh } from '../data.ts';

export function Collections() {
  const { data = [], error } = useCollections();
  const [removed, setRemoved] = useState<string>();
  const refresh = useRefresh();
  if (data.length === 0) return <Problem error={error} />;
  return (
    <section className="card" aria-labelledby="collections">
      <h2 id="collections">Collections</h2>
      <Problem error={error} />
      <div className="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th className="number">Documents</th>
              <th className="number">Passages</th>
              <th className="number">Size</th>
              <th>Found by</th>
              <th>Changed</th>
              <ActionsHeading />
            </tr>
          </thead>
          <tbody>
            {data.map((collection) => (
              <Row key={collection.name} collection={collection} onRemove={setRemoved} />
            ))}
          </tbody>
        </table>
      </div>
      {data.some(({ embedder }) => embedder === null) && (
        <p className="quiet small">
          To find them by meaning too, install an embedding model (svc-embed-v1, under Models) and add the
          documents again.
        </p>
      )}
      {removed !== undefined && (
        <Confirm
          title={`Remove ${removed}`}
          action="Remove"
          onClose={() => setRemoved(undefined)}
          run={async () => {
            await call('DELETE', `/api/daemon/docs/${encodeURIComponent(removed)}`);
            refresh();
          }}
        >
          The agent no longer finds its documents. Files on the machine stay where they are; copies of dropped
          files are deleted.
        </Confirm>
      )}
    </section>
  );
}

type RowProps = { collection: Collection; onRemove: (name: string) => void };

function Row({ collection: { name, documents, passages, bytes: size, ...rest }, onRemove }: RowProps) {
  const [, navigate] = useLocation();
  const [, changeOptions] = useOptions();
  const ask = () => {
    changeOptions((now) => ({ ...now, docs: [name] }));
    navigate('/agent');
  };
  return (
    <tr>
      <td>{name}</td>
      <td className="number">{number(documents)}</td>
      <td className="number">{number(passages)}</td>
      <td className="number nowrap">{size < 1024 * 1024 ? `${Math.ceil(size / 1024)} KiB` : bytes(size)}</td>
      <td>{rest.embedder === null ? 'keywords' : `keywords and meaning (${rest.embedder})`}</td>
      <td className="nowrap">{moment(rest.updated_at)}</td>
      <td>
        <div className="row end">
          <button type="button" aria-label={`Ask about ${name}`} onClick={ask}>
            Ask
          </button>
          <button
            type="button"
            className="danger"
            aria-label={`Remove ${name}`}
            onClick={() => onRemove(name)}
          >
            Remove
          </button>
        </div>
      </td>
    </tr>
  );
}
