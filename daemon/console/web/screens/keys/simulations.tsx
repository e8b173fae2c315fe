import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '../../../../../src/api/account/keys.ts';
import type { Simulation } from '../../../../../src/api/account/simulations.ts';
import { call } from '../../data/api.ts';
import { number } from '../../data/format.ts';
import { ActionsHeading } from '../../parts/actions-heading.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SimulationForm } from './simulation-form.tsx';

/** The failures simulated for a test key's requests. */
export function Simulations({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const queries = useQueryClient();
  const path = `/api/keys/${encodeURIComponent(apiKey.id)}/simulations`;
  const queryKey = ['simulations', apiKey.id];
  const { data, error } = useQuery({
    queryKey,
    queryFn: () => call<{ simulations: Simulation[] }>('GET', path),
  });
  const reload = () => queries.invalidateQueries({ queryKey });
  const removing = useMutation({
    mutationFn: (id: string) => call('DELETE', `${path}/${encodeURIComponent(id)}`),
    onSettled: reload,
  });
  return (
    <Dialog title={`Simulated trouble of ${apiKey.name}`} onClose={onClose}>
      <div className="stack">
        <Problem error={error ?? removing.error} />
        {data && <Rules rules={data.simulations} onRemove={removing.mutate} />}
        <SimulationForm path={path} onDone={reload} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function Rules({ rules, onRemove }: { rules: readonly Simulation[]; onRemove: (id: string) => void }) {
  if (rules.length === 0)
    return (
      <p className="quiet">No rules. A request can also ask for trouble in the header x-askd-simulate.</p>
    );
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Rules">
      <table>
        <thead>
          <tr>
            <th>Requests</th>
            <th>What happens</th>
            <th className="number">Seen</th>
            <ActionsHeading />
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.id}>
              <td>
                <code>
                  {rule.method} {rule.path}
                </code>
                <div className="quiet small">{turnsOf(rule)}</div>
              </td>
              <td>{troubleOf(rule)}</td>
              <td className="number">{number(rule.seen)}</td>
              <td>
                <button
                  type="button"
                  className="danger"
                  aria-label={`Remove ${troubleOf(rule)}`}
                  onClick={() => onRemove(rule.id)}
                >
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function turnsOf({ every, times }: Simulation): string {
  const turns = every === 1 ? 'each' : `one in ${number(every)}`;
  return times === null ? turns : `${turns}, at most ${number(times)} times`;
}

function troubleOf({ simulates }: Simulation): string {
  return Object.entries(simulates)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
    .join(', ');
}
