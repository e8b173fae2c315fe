import type { ReactNode, SubmitEvent } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useChange } from './data.ts';

type Props = {
  title: string;
  action: string;
  children: ReactNode;
  save: (form: FormData) => Promise<unknown>;
  /** Otherwise it closes. */
  onSaved?: () => void;
  onClose: () => void;
};

/** Closes when it is saved. Errors are shown, and nothing that was typed is lost. */
export function FormDialog({ title, action, children, save, onClose, onSaved = onClose }: Props) {
  const saving = useChange(save);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate(new FormData(event.currentTarget), { onSuccess: onSaved });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        <Problem error={saving.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={saving.isPending}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
