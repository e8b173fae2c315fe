import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';

export type NewLink = { name: string; url: string };

export function LoginLink({ link: { name, url }, onClose }: { link: NewLink; onClose: () => void }) {
  return (
    <Dialog title={`The login link of ${name}`} onClose={onClose}>
      <div className="stack">
        <p>Send it to {name} only: whoever opens it first is signed in. It works once, for a day.</p>
        <div className="secret">
          <code>{url}</code>
          <CopyButton text={url} />
        </div>
        <div className="row end">
          <button type="button" className="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}
