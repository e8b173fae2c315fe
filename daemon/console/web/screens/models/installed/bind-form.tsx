import type { Artifact } from '../../../../../../src/api/management/daemon.ts';
import { call } from '../../../data/api.ts';
import { FormDialog, textOf } from '../form-dialog.tsx';
import { useServices } from '../data.ts';

type Props = { artifacts: readonly Artifact[]; artifact?: string; service?: string; onClose: () => void };

/** Either end may be given. */
export function BindForm({ artifacts, artifact, service, onClose }: Props) {
  const { data: services = [] } = useServices();
  return (
    <FormDialog
      title={artifact ? `Bind ${artifact} to a service` : `What serves ${service}`}
      action="Bind"
      onClose={onClose}
      save={bind}
    >
      <label className="field">
        <span className="label">Service</span>
        <select name="service" defaultValue={service} key={services.length}>
          {services.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">Model</span>
        <select name="artifact" defaultValue={artifact}>
          {artifacts.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">Draft model</span>
        <select name="draft" defaultValue="same">
          <option value="same">as it is</option>
          <option value="">none</option>
          {artifacts
            .filter(({ engine, tasks }) => engine === 'llama' && tasks.includes('chat'))
            .map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
        </select>
        <span className="small quiet">
          A smaller model of the same family that drafts tokens ahead: the same answer, faster.
        </span>
      </label>
      <label className="field">
        <span className="label">Fallback</span>
        <select name="fallback" defaultValue="same">
          <option value="same">as it is</option>
          <option value="">none</option>
          {artifacts.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
        <span className="small quiet">Answers while the model is unavailable.</span>
      </label>
    </FormDialog>
  );
}

function bind(form: FormData): Promise<unknown> {
  const draft = textOf(form, 'draft');
  const fallback = textOf(form, 'fallback');
  const body = { service: textOf(form, 'service'), artifact: textOf(form, 'artifact') };
  return call('POST', '/api/daemon/bind', {
    ...body,
    ...(draft !== 'same' && { draft }),
    ...(fallback !== 'same' && { fallbacks: fallback === '' ? [] : [fallback] }),
  });
}
