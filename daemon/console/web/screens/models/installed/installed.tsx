import { useState } from 'react';
import type { Artifact } from '../../../../../../src/api/management/daemon.ts';
import type { Removal } from '../../../../../../src/api/management/library.ts';
import { ActionsHeading } from '../../../parts/actions-heading.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { CheckBadge } from '../check/check-view.tsx';
import { useArtifacts } from '../data.ts';
import { size } from '../size.ts';
import { ArtifactDetail } from './artifact-detail.tsx';
import { ImportForm } from './import-form.tsx';
import { InMemory } from './in-memory.tsx';
import { LoadButton } from './load-button.tsx';
import { Removed } from './remove-form.tsx';
import { Services } from './services.tsx';
import { UpstreamForm } from './upstream-form.tsx';

export function Installed() {
  const { data, error } = useArtifacts();
  const [shown, setShown] = useState<string>();
  const [task, setTask] = useState<'import' | 'upstream'>();
  const [removal, setRemoval] = useState<Removal>();
  const close = () => setTask(undefined);
  const take = (done: Removal) => {
    setShown(undefined);
    setRemoval(done);
  };
  const artifact = data?.artifacts.find(({ id }) => id === shown);
  return (
    <>
      <InMemory />
      <section className="card" aria-labelledby="installed">
        <div className="row apart">
          <h2 id="installed">Installed</h2>
          <div className="row">
            <button type="button" onClick={() => setTask('upstream')}>
              Add an upstream
            </button>
            <button type="button" onClick={() => setTask('import')}>
              Import a file
            </button>
          </div>
        </div>
        <Problem error={error} />
        {data && <ArtifactTable artifacts={data.artifacts} onOpen={setShown} />}
      </section>
      <Services artifacts={data?.artifacts ?? []} />
      {artifact && (
        <ArtifactDetail
          artifact={artifact}
          all={data?.artifacts ?? []}
          onRemoved={take}
          onClose={() => setShown(undefined)}
        />
      )}
      {removal && <Removed removal={removal} onClose={() => setRemoval(undefined)} />}
      {task === 'import' && <ImportForm onClose={close} />}
      {task === 'upstream' && <UpstreamForm onClose={close} />}
    </>
  );
}

type TableProps = { artifacts: readonly Artifact[]; onOpen: (id: string) => void };

function ArtifactTable({ artifacts, onOpen }: TableProps) {
  if (artifacts.length === 0)
    return <p className="quiet">No models yet. The catalogue has some to download.</p>;
  return (
    <div className="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Model</th>
            <th>For</th>
            <th>Serves</th>
            <th>Size</th>
            <th>Licence</th>
            <ActionsHeading />
          </tr>
        </thead>
        <tbody>
          {artifacts.map((artifact) => (
            <tr key={artifact.id}>
              <td>
                {artifact.id} <CheckBadge model={artifact.id} check={artifact.check} />
                <State artifact={artifact} />
              </td>
              <td>{artifact.tasks.join(', ')}</td>
              <td>{artifact.bound_to.join(', ') || '–'}</td>
              <td>{artifact.bytes === 0 ? '–' : size(artifact.bytes)}</td>
              <td>{artifact.licence}</td>
              <td>
                <div className="row end">
                  <LoadButton artifact={artifact.id} />
                  <button
                    type="button"
                    aria-label={`Open ${artifact.id}`}
                    onClick={() => onOpen(artifact.id)}
                  >
                    Open
                  </button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function State({ artifact: { is_present: isPresent, obstacle } }: { artifact: Artifact }) {
  if (!isPresent) return <span className="badge bad">files missing</span>;
  if (obstacle !== undefined) return <div className="small problem">{obstacle}</div>;
  return null;
}
