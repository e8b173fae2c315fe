import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiKey, CreatedApiKey } from '../../../../../src/api/account/keys.ts';
import { call } from '../../data/api.ts';
import { credits, moment, number, short } from '../../data/format.ts';
import { ActionsHeading } from '../../parts/actions-heading.tsx';
import { role } from '../../data/person.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Problem } from '../../parts/problem.tsx';
import { KeyForm } from './key-form.tsx';
import { NewSecret } from './new-secret.tsx';
import { Simulations } from './simulations.tsx';

type Task = { name: 'create' } | { name: 'edit' | 'simulate' | 'rotate' | 'revoke'; key: ApiKey };

export function Keys() {
  const [task, setTask] = useState<Task>();
  const [created, setCreated] = useState<CreatedApiKey>();
  const queries = useQueryClient();
  const { data: keys, error } = useQuery({
    queryKey: ['keys'],
    queryFn: () => call<ApiKey[]>('GET', '/api/keys'),
  });
  const reload = () => queries.invalidateQueries({ queryKey: ['keys'] });
  const close = () => setTask(undefined);
  const show = (key: CreatedApiKey | undefined) => {
    close();
    setCreated(key);
    void reload();
  };
  return (
    <>
      <div className="row apart">
        <h1>API keys</h1>
        <button type="button" className="primary" onClick={() => setTask({ name: 'create' })}>
          Create key
        </button>
      </div>
      <Problem error={error} />
      {keys && <KeyTable keys={keys} onTask={setTask} />}
      {task?.name === 'create' && <KeyForm onDone={show} onClose={close} />}
      {task?.name === 'edit' && <KeyForm apiKey={task.key} onDone={show} onClose={close} />}
      {task?.name === 'simulate' && <Simulations apiKey={task.key} onClose={close} />}
      {task?.name === 'rotate' && (
        <Confirm
          title={`Rotate ${task.key.name}`}
          action="Rotate"
          onClose={close}
          run={async () => show(await call('POST', `/api/keys/${task.key.id}/rotate`, {}))}
        >
          The key gets a new secret, and the old one stops working at once.
        </Confirm>
      )}
      {task?.name === 'revoke' && (
        <Confirm
          title={`Revoke ${task.key.name}`}
          action="Revoke"
          onClose={close}
          run={async () => {
            await call('DELETE', `/api/keys/${task.key.id}`);
            await reload();
          }}
        >
          Applications that use {task.key.key_prefix}… are refused from now on. This cannot be undone.
        </Confirm>
      )}
      {created && <NewSecret created={created} onClose={() => setCreated(undefined)} />}
    </>
  );
}

function KeyTable({ keys, onTask }: { keys: readonly ApiKey[]; onTask: (task: Task) => void }) {
  if (keys.length === 0)
    return <p className="card quiet">No keys yet. An application needs one to use /v1.</p>;
  return (
    <section className="card scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Key</th>
            <th>Scopes</th>
            <th>State</th>
            <th>This month</th>
            <th>Last used</th>
            <ActionsHeading />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onTask={onTask} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function KeyRow({ apiKey: key, onTask }: { apiKey: ApiKey; onTask: (task: Task) => void }) {
  const isOver = key.expires_at !== null && Date.parse(key.expires_at) <= Date.now();
  const state = isOver ? 'expired' : key.is_active ? 'active' : 'off';
  return (
    <tr>
      <td>
        {key.name} {key.is_test && <span className="badge">test</span>}
      </td>
      <td>
        <code>{key.key_prefix}…</code>
      </td>
      <td>{key.scopes.join(', ')}</td>
      <td>
        <span className={`badge ${state === 'active' ? 'good' : 'bad'}`}>{state}</span>
        {key.expires_at !== null && !isOver && (
          <div className="quiet small">until {moment(key.expires_at)}</div>
        )}
      </td>
      <td>
        <Budget budget={key.budget} />
        {role() === 'owner' && (
          <Link
            className="small"
            href={`/usage?key=${encodeURIComponent(key.id)}`}
            aria-label={`Usage of ${key.name}`}
          >
            Usage
          </Link>
        )}
      </td>
      <td>{moment(key.last_used_at)}</td>
      <td>
        <div className="row end">
          <Switch apiKey={key} />
          {key.is_test && role() === 'owner' && (
            <button
              type="button"
              aria-label={`Simulate trouble for ${key.name}`}
              onClick={() => onTask({ name: 'simulate', key })}
            >
              Simulate
            </button>
          )}
          <button type="button" aria-label={`Edit ${key.name}`} onClick={() => onTask({ name: 'edit', key })}>
            Edit
          </button>
          <button
            type="button"
            aria-label={`Rotate ${key.name}`}
            onClick={() => onTask({ name: 'rotate', key })}
          >
            Rotate
          </button>
          <button
            type="button"
            className="danger"
            aria-label={`Revoke ${key.name}`}
            onClick={() => onTask({ name: 'revoke', key })}
          >
            Revoke
          </button>
        </div>
      </td>
    </tr>
  );
}

function Switch({ apiKey: { id, name, is_active: isActive } }: { apiKey: ApiKey }) {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call('PATCH', `/api/keys/${id}`, { is_active: !isActive }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  const action = isActive ? 'Disable' : 'Enable';
  return (
    <button type="button" aria-label={`${action} ${name}`} disabled={isPending} onClick={() => mutate()}>
      {action}
    </button>
  );
}

function Budget({ budget }: { budget: ApiKey['budget'] }) {
  const { credits_per_month: most, credits_used: spent, tokens_per_month: tokensMost, rpm } = budget;
  return (
    <>
      {credits(spent)}
      {most !== null && ` of ${credits(most)}`} credits
      {most !== null && (
        <meter
          aria-label="Credits used"
          max={Math.max(most, spent, 0.000001)}
          value={spent}
          high={most * 0.8}
        />
      )}
      <div className="quiet small">
        {short(budget.tokens_used)}
        {tokensMost !== null && ` of ${short(tokensMost)}`} tokens
        {rpm !== null && `, ${number(rpm)} requests a minute`}
      </div>
    </>
  );
}
