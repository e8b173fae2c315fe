import type { CreatedApiKey } from '../../../../../src/api/account/keys.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';

export function NewSecret({ created, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  const request = `curl ${location.origin}/v1/chat/completions \\
  -H "Authorization: Bearer ${created.key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "svc-chat-v1", "messages": [{"role": "user", "content": "Hello"}]}'`;
  return (
    <Dialog title={`The key of ${created.name}`} onClose={onClose}>
      <div className="stack">
        <p>Copy it now. It is not shown again: only its hash is stored.</p>
        <div className="secret">
          <code>{created.key}</code>
          <CopyButton text={created.key} />
        </div>
        <details>
          <summary>A first request</summary>
          <div className="secret">
            <pre className="scroll">{request}</pre>
            <CopyButton text={request} />
          </div>
        </details>
        <div className="row end">
          <button type="button" className="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}
