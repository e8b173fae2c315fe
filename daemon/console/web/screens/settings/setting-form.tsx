import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Setting } from '../../../../../src/api/management/settings.ts';
import { call } from '../../data/api.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { draftOf, textOf } from './setting-text.ts';

export function SettingForm({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const { name, summary, expects, source, variable, guarded } = setting;
  return (
    <Dialog title={name} onClose={onClose}>
      <div className="stack">
        <p>{summary.replaceAll('`', '')}</p>
        <p className="quiet small">
          Now: {textOf(setting)}. It may be {expects}.
        </p>
        {(source === 'environment' || source === 'flag') && (
          <p className="problem">
            {source === 'environment'
              ? `The environment sets ${variable}, so a value stored elsewhere has no effect.`
              : 'The daemon was started with this flag. A value in the file takes effect once it is started without.'}
          </p>
        )}
        {guarded === undefined ? (
          <Editor setting={setting} onClose={onClose} />
        ) : (
          <CommandOnly setting={setting} why={guarded} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

type CommandProps = { setting: Setting; why: string; onClose: () => void };

function CommandOnly({ setting: { name, is_secret: isSecret }, why, onClose }: CommandProps) {
  const command = isSecret ? `askd secrets set ${name}` : `askd config set ${name} VALUE`;
  return (
    <>
      <p>{why} So a browser may not change it; the command line may:</p>
      <div className="secret">
        <code>{command}</code>
        <CopyButton text={command} />
      </div>
      <div className="row end">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}

function Editor({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const { name, source, is_list: isList } = setting;
  const queries = useQueryClient();
  const [value, setValue] = useState(() => draftOf(setting));
  const path = `/api/settings/${name}`;
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: ['settings'] });
    onClose();
  };
  const saving = useMutation({ mutationFn: () => call('PUT', path, { value }), onSuccess });
  const resetting = useMutation({ mutationFn: () => call('DELETE', path), onSuccess });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={submit}>
      <label className="field">
        <span className="label">{isList ? 'Values' : 'Value'}</span>
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          required
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </label>
      <Problem error={saving.error ?? resetting.error} />
      <div className="row end">
        {source === 'file' && (
          <button type="button" disabled={resetting.isPending} onClick={() => resetting.mutate()}>
            Reset to the default
          </button>
        )}
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="primary" disabled={saving.isPending}>
          Save
        </button>
      </div>
    </form>
  );
}
