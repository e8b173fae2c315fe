import type { Artifact } from '../../../../../../src/api/management/daemon.ts';
import type { Removal } from '../../../../../../src/api/management/library.ts';
import { call } from '../../../data/api.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { FormDialog, textOf } from '../form-dialog.tsx';
import { size } from '../size.ts';

type Props = { artifact: Artifact; onRemoved: (removal: Removal) => void; onClose: () => void };

export function RemoveForm({ artifact, onRemoved, onClose }: Props) {
  const { id, bound_to: services, aliases, files } = artifact;
  const fetched = files.filter((file) => file.is_fetched).reduce((sum, file) => sum + file.bytes, 0);
  const save = async (form: FormData) => {
    const body = { model: textOf(form, 'model'), ...(form.get('force') !== null && { force: true }) };
    onRemoved(await call<Removal>('POST', '/api/daemon/remove', body));
  };
  return (
    <FormDialog title={`Remove ${id}`} action="Remove" onClose={onClose} save={save}>
      <p>
        {fetched > 0
          ? `The files that askd downloaded, ${size(fetched)}, are deleted where nothing else uses them.`
          : 'Its files were not downloaded by askd and stay where they are.'}
      </p>
      <label className="field">
        <span className="label">What to remove</span>
        <select name="model">
          <option value={id}>the model {id}</option>
          {aliases.map((alias) => (
            <option key={alias} value={alias}>
              only its name {alias}
            </option>
          ))}
        </select>
      </label>
      {services.length > 0 && (
        <label>
          <input type="checkbox" name="force" /> Even though it serves {services.join(', ')}
        </label>
      )}
    </FormDialog>
  );
}

export function Removed({ removal, onClose }: { removal: Removal; onClose: () => void }) {
  return (
    <Dialog title={`Removed ${removal.id}`} onClose={onClose}>
      <div className="stack">
        <p>Freed {size(removal.freed_bytes)}.</p>
        {removal.kept.length > 0 && <p>These files stay: {removal.kept.join(', ')}</p>}
        <div className="row end">
          <button type="button" className="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}
