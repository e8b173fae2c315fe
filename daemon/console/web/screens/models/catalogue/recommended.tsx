import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogEntry } from '../../../../../../src/api/management/catalog.ts';
import type { Recommendation, RecommendedModel } from '../../../../../../src/api/management/recommend.ts';
import { call } from '../../../data/api.ts';
import { number } from '../../../data/format.ts';
import { ActionsHeading } from '../../../parts/actions-heading.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { useChange } from '../data.ts';
import { size } from '../size.ts';
import { PullDialog } from './pull-dialog.tsx';

const recommend = (measure: 'never' | 'again') =>
  call<Recommendation>('POST', '/api/daemon/recommend', { measure });

/** Measuring takes seconds, so it waits for a click. */
export function Recommended({ catalog }: { catalog: readonly CatalogEntry[] }) {
  const { data, error } = useQuery({
    queryKey: ['models', 'recommended'],
    queryFn: () => recommend('never'),
  });
  const measuring = useChange(() => recommend('again'));
  const [pulling, setPulling] = useState<RecommendedModel>();
  if (!data) return <Problem error={error} />;
  const { speed, disk_free_bytes: free } = data.machine;
  return (
    <section className="card" aria-labelledby="recommended">
      <div className="row apart">
        <h2 id="recommended">Recommended for this machine</h2>
        <button type="button" disabled={measuring.isPending} onClick={() => measuring.mutate()}>
          {speed ? 'Measure again' : 'Measure this machine'}
        </button>
      </div>
      <p className="quiet small" role="status">
        {measuring.isPending
          ? 'Measuring how fast this machine generates: about ten seconds…'
          : basisOf(data)}
      </p>
      <Problem error={measuring.error} />
      <div className="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Service</th>
              <th>Model</th>
              <th className="number">Download</th>
              <th className="number">Memory</th>
              <th className="number">Tokens/s</th>
              <ActionsHeading />
            </tr>
          </thead>
          <tbody>
            {data.models.map((model) => (
              <Row key={model.service} model={model} onPull={setPulling} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="quiet small">
        All of them: {size(data.download_bytes)} to download, {size(free)} free on the disk.
      </p>
      {pulling && (
        <PullDialog
          model={pulling.service}
          entry={catalog.find(({ id }) => id === pulling.artifact)}
          onClose={() => setPulling(undefined)}
        />
      )}
    </section>
  );
}

function basisOf({ machine: { speed, for_models_bytes: budget } }: Recommendation): string {
  const fits = `The best models of the catalogue that fit in ${size(budget)}`;
  if (!speed) return `${fits}. Once this machine is measured, askd also chooses by speed.`;
  const measured = `by the speed measured on ${speed.measured_at.slice(0, 10)} (${speed.device})`;
  if (speed.is_calm) return `${fits} and answer as fast as people read, ${measured}.`;
  return `${fits}. Tokens/s are estimated ${measured} while other programs were busy: measure again to choose by speed.`;
}

function Row({ model, onPull }: { model: RecommendedModel; onPull: (model: RecommendedModel) => void }) {
  const { service, artifact, bytes, memory_bytes: memory, reason } = model;
  const action = model.is_installed ? 'Use' : 'Download';
  return (
    <tr>
      <td>{service}</td>
      <td title={reason}>{artifact}</td>
      <td className="number">{model.is_installed ? 'installed' : size(bytes)}</td>
      <td className="number">{size(memory)}</td>
      <td className="number">{speedOf(model)}</td>
      <td>
        {model.is_bound ? (
          <span className="badge good">in use</span>
        ) : (
          <button
            type="button"
            aria-label={`${action} ${artifact} for ${service}`}
            onClick={() => onPull(model)}
          >
            {action}
          </button>
        )}
      </td>
    </tr>
  );
}

function speedOf({
  expected_tokens_per_second: expected,
  measured_tokens_per_second: measured,
}: RecommendedModel): string {
  if (measured !== null) return number(measured);
  if (!expected) return '–';
  return expected.from === expected.to
    ? number(expected.from)
    : `${number(expected.from)} to ${number(expected.to)}`;
}
