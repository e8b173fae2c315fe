import { useState } from 'react';
import type { CatalogEntry } from '../../../../../../src/api/management/catalog.ts';
import type { PullAnswer } from '../../../../../../src/api/management/library.ts';
import { ApiError, call } from '../../../data/api.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { checkWhenDone } from '../check/new-models.ts';
import { useModelsRefresh } from '../data.ts';
import { FormDialog, textOf } from '../form-dialog.tsx';
import { size } from '../size.ts';

type Props = { model: string; entry?: CatalogEntry | undefined; onClose: () => void };

/** A licence that restricts use is shown before anything is downloaded, and must be accepted. */
export function PullDialog({ model, entry, onClose }: Props) {
  const [terms, setTerms] = useState<string>();
  const [installed, setInstalled] = useState<PullAnswer>();
  const known = entry?.licence_terms;
  const refresh = useModelsRefresh();
  const save = async (form: FormData) => {
    const tier = textOf(form, 'tier');
    const accepted = form.get('accept') !== null;
    const body = { model, ...(tier !== '' && { tier }), ...(accepted && { accept_licence: true }) };
    try {
      const answer = await call<PullAnswer>('POST', '/api/daemon/pulls', body);
      if (answer.pull) checkWhenDone(answer.pull, refresh);
      if (answer.artifact) setInstalled(answer);
      else onClose();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'licence_not_accepted') throw error;
      setTerms(error.message.replace(/,? then accept it with --accept-licence/, ''));
    }
  };
  if (installed) return <Installed answer={installed} onClose={onClose} />;
  return (
    <FormDialog
      title={`Download ${model}`}
      action="Download"
      onClose={onClose}
      onSaved={() => undefined}
      save={save}
    >
      {entry && <p>{size(entry.bytes)} to download.</p>}
      {model.startsWith('svc-') && <Tier />}
      {(known || terms !== undefined) && (
        <>
          <p role="status">{known ? `${entry.licence}: ${known.summary}` : terms}</p>
          {known && /^https?:/.test(known.url) && (
            <a href={known.url} target="_blank" rel="noreferrer noopener">
              Read the licence: {known.url}
            </a>
          )}
          <label>
            <input type="checkbox" name="accept" required /> I have read its licence and accept it
          </label>
        </>
      )}
    </FormDialog>
  );
}

function Tier() {
  return (
    <label className="field">
      <span className="label">Size</span>
      <select name="tier">
        <option value="">what suits this machine</option>
        {['small', 'standard', 'large'].map((tier) => (
          <option key={tier}>{tier}</option>
        ))}
      </select>
    </label>
  );
}

function Installed({
  answer: { artifact, service, reason },
  onClose,
}: {
  answer: PullAnswer;
  onClose: () => void;
}) {
  return (
    <Dialog title={`${artifact?.id ?? 'It'} is on this machine`} onClose={onClose}>
      <div className="stack">
        <p>
          {service === null
            ? 'There is nothing to download.'
            : `It serves ${service}: ${reason ?? 'as requested'}.`}
        </p>
        <div className="row end">
          <button type="button" className="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}
