import { useState } from 'react';
import type { Artifact } from '../../../../../../src/api/management/daemon.ts';
import type { Model } from '../../../../../../src/api/management/models.ts';
import { Problem } from '../../../parts/problem.tsx';
import { PullDialog } from '../catalogue/pull-dialog.tsx';
import { useServices } from '../data.ts';
import { BindForm } from './bind-form.tsx';

/** What applications ask for, and the model behind it. */
export function Services({ artifacts }: { artifacts: readonly Artifact[] }) {
  const { data, error } = useServices();
  const [task, setTask] = useState<{ name: 'bind' | 'pull'; service: string }>();
  const close = () => setTask(undefined);
  return (
    <section className="card" aria-labelledby="services">
      <h2 id="services">Services</h2>
      <Problem error={error} />
      <div>
        {data?.map((service) => (
          <Service
            key={service.id}
            service={service}
            onTask={(name) => setTask({ name, service: service.id })}
          />
        ))}
      </div>
      {task?.name === 'bind' && <BindForm artifacts={artifacts} service={task.service} onClose={close} />}
      {task?.name === 'pull' && <PullDialog model={task.service} onClose={close} />}
    </section>
  );
}

function Service({ service, onTask }: { service: Model; onTask: (name: 'bind' | 'pull') => void }) {
  const { id, category, local } = service;
  return (
    <article className="model" aria-label={id}>
      <div className="row apart">
        <span className="name">
          <strong>{id}</strong> <span className="quiet">{category}</span>{' '}
          <span className={`badge ${/ready|loaded/.test(local.state) ? 'good' : ''}`}>
            {local.state.replace('_', ' ')}
          </span>
        </span>
        <div className="row">
          <button type="button" aria-label={`Choose what serves ${id}`} onClick={() => onTask('bind')}>
            Bind
          </button>
          <button
            type="button"
            aria-label={`Download the best model for ${id}`}
            onClick={() => onTask('pull')}
          >
            Download the best
          </button>
        </div>
      </div>
      <span className="small quiet">
        {local.artifact === null ? 'Nothing serves it' : `Served by ${local.artifact}`}
        {local.notice !== undefined && `. ${local.notice}`}
      </span>
    </article>
  );
}
