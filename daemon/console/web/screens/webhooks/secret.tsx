import { useState } from 'react';
import type { Webhook } from '../../../../../src/api/account/webhooks.ts';
import { moment } from '../../data/format.ts';
import { Choice } from '../../parts/choice.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';

export type NewSecret = { webhook: Webhook; secret: string; previous_secret_expires_at?: string };

const LANGUAGES = { javascript: 'JavaScript', python: 'Python' };

/** How a receiver verifies a delivery, with packages of the Standard Webhooks project. */
const SNIPPETS = {
  javascript: `// npm install standardwebhooks
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
    console.log(event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(3000);`,
  python: `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/hook")
def receive():
    try:
        event = webhook.verify(request.get_data(as_text=True), dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    print(event["type"], event["data"])
    return "", 204`,
};

export function Secret({ created, onClose }: { created: NewSecret; onClose: () => void }) {
  const { webhook, secret, previous_secret_expires_at: until } = created;
  const [language, setLanguage] = useState<keyof typeof SNIPPETS>('javascript');
  return (
    <Dialog title={`The signing secret of ${webhook.name}`} onClose={onClose}>
      <div className="stack">
        <p>Copy it now. It is not shown again.</p>
        <div className="secret">
          <code>{secret}</code>
          <CopyButton text={secret} />
        </div>
        {until !== undefined && (
          <p>
            Until {moment(until)} every delivery is signed with the old secret too, so receivers can change
            over without losing one.
          </p>
        )}
        <details>
          <summary>Verify deliveries with it</summary>
          <div className="stack">
            <Choice label="Language" value={language} options={LANGUAGES} onChange={setLanguage} />
            <div className="secret">
              <pre className="scroll" tabIndex={0}>
                {SNIPPETS[language]}
              </pre>
              <CopyButton text={SNIPPETS[language]} />
            </div>
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
