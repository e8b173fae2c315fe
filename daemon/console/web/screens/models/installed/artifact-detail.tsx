import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Artifact } from '../../../../../../src/api/management/daemon.ts';
import type { Removal } from '../../../../../../src/api/management/library.ts';
import type { Estimate } from '../../../../../../src/api/management/memory.ts';
import { call } from '../../../data/api.ts';
import { bytes, number } from '../../../data/format.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { CheckView } from '../check/check-view.tsx';
import { FormDialog, textOf } from '../form-dialog.tsx';
import { Facts } from '../facts.tsx';
import { size } from '../size.ts';
import { BindForm } from './bind-form.tsx';
import { RemoveForm } from './remove-form.tsx';

type Props = {
  artifact: Artifact;
  all: readonly Artifact[];
  onRemoved: (removal: Removal) => void;
  onClose: () => void;
};

export function ArtifactDetail({ artifact, all, onRemoved, onClose }: Props) {
  const [task, setTask] = useState<'bind' | 'alias' | 'remove'>();
  const { id, engine, tasks, tier, path, aliases, obstacle, notice } = artifact;
  const close = () => setTask(undefined);
  if (task === 'bind') return <BindForm artifacts={all} artifact={id} onClose={close} />;
  if (task === 'alias') return <AliasForm model={id} onClose={close} />;
  if (task === 'remove') return <RemoveForm artifact={artifact} onRemoved={onRemoved} onClose={close} />;
  return (
    <Dialog title={id} onClose={onClose}>
      <div className="stack">
        {!artifact.is_present && <p className="problem">Its files are missing: {path}</p>}
        {obstacle !== undefined && <p className="problem">{obstacle}</p>}
        {notice !== undefined && <p>{notice}</p>}
        <Facts
          facts={[
            ['Name', artifact.name],
            ['Engine', `${engine}, ${tier}`],
            ['For', tasks.join(', ')],
            ['Serves', artifact.bound_to.join(', ') || 'nothing'],
            ['Fallback for', artifact.fallback_for.join(', ')],
            ['Also named', aliases.join(', ')],
            ['Licence', artifact.licence],
            ['Size', artifact.bytes === 0 ? '' : size(artifact.bytes)],
            [
              'Maximum context',
              artifact.context_tokens_max ? `${number(artifact.context_tokens_max)} tokens` : '',
            ],
            ['Path', path],
          ]}
        />
        {artifact.is_present && engine !== 'upstream' && <MemoryNeed model={id} />}
        {artifact.is_present && obstacle === undefined && (
          <CheckView
            model={id}
            check={artifact.check}
            summary="A check shows whether its template, schemas, tools and speed are right on this machine. It takes seconds; checking everything, with the whole context, takes minutes."
          />
        )}
        <Listed
          title="Files"
          entries={artifact.files.map((file) => [
            file.path,
            `${size(file.bytes)}, ${file.hash}${file.is_fetched ? '' : ', not downloaded by askd'}`,
          ])}
        />
        <Listed title="Voices" entries={Object.entries(artifact.voices ?? {})} />
        <Listed title="Model card" entries={Object.entries(artifact.card ?? {})} />
        <div className="row end">
          <button type="button" className="danger" onClick={() => setTask('remove')}>
            Remove
          </button>
          <button type="button" onClick={() => setTask('alias')}>
            Add an alias
          </button>
          <button type="button" className="primary" onClick={() => setTask('bind')}>
            Bind to a service
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function Listed({ title, entries }: { title: string; entries: readonly (readonly [string, string])[] }) {
  if (entries.length === 0) return null;
  return (
    <details>
      <summary>
        {title} ({entries.length})
      </summary>
      <Facts facts={entries} />
    </details>
  );
}

function MemoryNeed({ model }: { model: string }) {
  const { data, error } = useQuery({
    queryKey: ['models', 'estimate', model],
    queryFn: () => call<Estimate>('POST', '/api/daemon/estimate', { model }),
  });
  if (!data) return <Problem error={error} />;
  const { context_tokens: tokens, context_reason: reason, measured_bytes: measured } = data;
  return (
    <Facts
      facts={[
        [
          'Memory',
          `${bytes(measured ?? data.estimated_bytes)}, ${measured === null ? 'estimated from its file' : 'as measured at an earlier load'}`,
        ],
        [
          'Of which',
          `${bytes(data.weights_bytes)} weights, ${bytes(data.context_bytes)} context of ${data.slots} slots`,
        ],
        ['Context', tokens === null ? '' : `${number(tokens)} tokens${reason === null ? '' : `: ${reason}`}`],
        ['Fits', `${data.fits ? 'yes' : 'no'}, in a budget of ${bytes(data.budget_bytes)} for all models`],
      ]}
    />
  );
}

function AliasForm({ model, onClose }: { model: string; onClose: () => void }) {
  const save = (form: FormData) =>
    call('POST', '/api/daemon/aliases', { alias: textOf(form, 'alias'), model });
  return (
    <FormDialog title={`A second name for ${model}`} action="Add" onClose={onClose} save={save}>
      <label className="field">
        <span className="label">Alias</span>
        <input name="alias" required maxLength={100} placeholder="gpt-4o-mini" />
        <span className="small quiet">
          Requests may name the model by it. To undo this, remove the alias.
        </span>
      </label>
    </FormDialog>
  );
}
