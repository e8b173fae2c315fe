import { call } from '../../../data/api.ts';
import { FormDialog, textOf } from '../form-dialog.tsx';

const TASKS = ['chat', 'embed', 'rerank', 'moderate', 'translate', 'transcribe', 'speak', 'draw'] as const;

export function UpstreamForm({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog title="Serve a model from other servers" action="Add" onClose={onClose} save={save}>
      <label className="field">
        <span className="label">Name here</span>
        <input name="id" required maxLength={100} placeholder="big-chat" />
      </label>
      <label className="field">
        <span className="label">Base URLs</span>
        <textarea name="urls" required rows={2} placeholder="http://gpu-1:8000/v1" />
        <span className="small quiet">
          One per line, each with /v1. Requests go to the least busy server.
        </span>
      </label>
      <label className="field">
        <span className="label">Model name there</span>
        <input name="model" required maxLength={500} placeholder="org/model" />
      </label>
      <fieldset>
        <legend>What it does</legend>
        <div className="row">
          {TASKS.map((task) => (
            <label key={task}>
              <input type="checkbox" name="tasks" value={task} defaultChecked={task === 'chat'} /> {task}
            </label>
          ))}
        </div>
      </fieldset>
      <label className="field">
        <span className="label">Its API key</span>
        <input name="key" type="password" autoComplete="off" />
        <span className="small quiet">Stored in a file that only you can read, and never shown again.</span>
      </label>
      <div className="pair">
        <label className="field">
          <span className="small">Context in tokens</span>
          <input name="context_tokens" type="number" min={64} placeholder="131072" />
        </label>
        <label className="field">
          <span className="small">Dimensions of its vectors</span>
          <input name="dimensions" type="number" min={1} placeholder="for embeddings" />
        </label>
      </div>
    </FormDialog>
  );
}

function save(form: FormData): Promise<unknown> {
  const count = (name: string) => (textOf(form, name) === '' ? {} : { [name]: Number(textOf(form, name)) });
  const key = textOf(form, 'key');
  return call('POST', '/api/daemon/upstreams', {
    id: textOf(form, 'id'),
    base_urls: textOf(form, 'urls').split(/\s+/),
    model: textOf(form, 'model'),
    tasks: form.getAll('tasks'),
    ...(key !== '' && { key }),
    ...count('context_tokens'),
    ...count('dimensions'),
  });
}
