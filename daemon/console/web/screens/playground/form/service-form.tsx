import type { KeyboardEvent, ReactNode } from 'react';
import type { Model } from '../../../../../../src/api/management/models.ts';
import { Problem } from '../../../parts/problem.tsx';
import type { ApiRequest } from '../code/api-request.ts';
import { RequestCode } from '../request-code.tsx';
import { MissingModel } from './missing-model.tsx';
import { Numbers } from './numbers.tsx';
import { isMissing, useServiceModels } from './service-models.ts';
import type { Run } from './use-run.ts';
import './service-form.css';

export type Example = { name: string; run: () => void };

type Props = {
  name: string;
  /** The categories of models that do this; the first is the service's own. */
  categories: readonly string[];
  model: string;
  onModel: (model: string) => void;
  /** The text of the button. */
  action: string;
  /** Whether there is something to send. */
  isReady: boolean;
  run: Run<unknown>;
  onRun: () => void;
  onStop: () => void;
  examples: readonly Example[];
  request: ApiRequest;
  settings?: ReactNode;
  /** The fields of the request. */
  children: ReactNode;
  result?: ReactNode;
};

export function ServiceForm(props: Props) {
  const { name, categories, run, request, settings, children, result } = props;
  const { models, error } = useServiceModels(categories);
  const model = models.find(({ id }) => id === props.model);
  return (
    <div className="playground">
      <div className="service">
        <form
          className="card service-form"
          aria-label={name}
          onKeyDown={submitOnControlEnter}
          onSubmit={(event) => {
            event.preventDefault();
            props.onRun();
          }}
        >
          {children}
          <MissingModel model={model} />
          <Actions {...props} isReady={props.isReady && !(model && isMissing(model))} />
        </form>
        {run.state !== 'idle' && (
          <section className="card result" aria-label="Result" aria-busy={run.state === 'running'}>
            {result}
            <Problem error={run.error} />
            <div role="status">
              <Numbers run={run} />
            </div>
          </section>
        )}
      </div>
      <aside className="card" aria-label="Settings">
        <Problem error={error} />
        <ModelField models={models} model={props.model} onModel={props.onModel} />
        {settings}
        <RequestCode {...request} />
      </aside>
    </div>
  );
}

function submitOnControlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}

/**
 * Two buttons with different keys: if one turned into the other during its click, it would stop a request and send it
 * again.
 */
function Actions({ action, isReady, run, onStop, examples }: Props) {
  return (
    <div className="row apart">
      <div className="row examples">
        {examples.length > 0 && <span className="quiet small">Try</span>}
        {examples.map((example) => (
          <button key={example.name} type="button" className="chip" onClick={example.run}>
            {example.name}
          </button>
        ))}
      </div>
      {run.state === 'running' ? (
        <button key="stop" type="button" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button key="start" type="submit" className="primary" disabled={!isReady}>
          {action}
        </button>
      )}
    </div>
  );
}

type ModelFieldProps = { models: readonly Model[]; model: string; onModel: (model: string) => void };

function ModelField({ models, model, onModel }: ModelFieldProps) {
  const names = [...new Set([model, ...models.map(({ id }) => id)])];
  const artifact = models.find(({ id }) => id === model)?.local.artifact;
  return (
    <label className="field">
      <span className="label">Model</span>
      <select value={model} onChange={(event) => onModel(event.target.value)}>
        {names.map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
      {artifact != null && artifact !== model && <span className="quiet small">Served by {artifact}</span>}
    </label>
  );
}
