import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

type Props = {
  title: string;
  /** The button's text: what will happen. */
  action: string;
  children: ReactNode;
  run: () => Promise<unknown>;
  onClose: () => void;
};

/** For actions that cannot be undone. */
export function Confirm({ title, action, children, run, onClose }: Props) {
  const running = useMutation({ mutationFn: run, onSuccess: onClose });
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <p>{children}</p>
        <Problem error={running.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="danger"
            disabled={running.isPending}
            onClick={() => running.mutate()}
          >
            {action}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
