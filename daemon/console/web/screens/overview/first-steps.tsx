import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ApiKey } from '../../../../../src/api/account/keys.ts';
import type { Usage } from '../../../../../src/api/account/usage.ts';
import type { Artifact } from '../../../../../src/api/management/daemon.ts';
import { call } from '../../data/api.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import './overview.css';

const PULL = 'askd pull svc-chat-v1';

/** For new users; each step disappears when it is done. */
export function FirstSteps() {
  const keys = useQuery({ queryKey: ['keys'], queryFn: () => call<ApiKey[]>('GET', '/api/keys') });
  const usage = useQuery({
    queryKey: ['usage', 'by key'],
    queryFn: () => call<Usage>('GET', '/api/usage?bucket=all&group_by=key'),
  });
  const models = useQuery({
    queryKey: ['models', 'artifacts'],
    queryFn: () => call<{ artifacts: Artifact[] }>('GET', '/api/daemon/artifacts'),
  });
  if (!keys.data || !usage.data || !models.data) return null;
  const isUsed = usage.data.data.some(({ key = '' }) => key !== '' && key !== 'playground');
  const isLarger = models.data.artifacts.some(({ card, is_present: isPresent }) => !card && isPresent);
  const steps = [
    ...(keys.data.length === 0 && !isUsed ? [<KeyStep key="key" />] : []),
    ...(isUsed ? [] : [<RequestStep key="request" />]),
    ...(isLarger ? [] : [<ModelStep key="model" />]),
  ];
  if (steps.length === 0) return null;
  return (
    <section className="card" aria-label="First steps">
      <h2>First steps</h2>
      <ol className="steps">{steps}</ol>
    </section>
  );
}

function KeyStep() {
  return (
    <li>
      <strong>Make an API key</strong> for your application, with its own limits:{' '}
      <Link href="/keys">create one</Link>
    </li>
  );
}

function RequestStep() {
  const request = `curl ${location.origin}/v1/chat/completions -H "Authorization: Bearer API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "svc-chat-v1", "messages": [{"role": "user", "content": "Hello"}]}'`;
  return (
    <li>
      <strong>Send a request</strong> with the key in place of API_KEY, or{' '}
      <Link href="/playground">chat in this browser</Link>:
      <div className="secret">
        <pre className="scroll" tabIndex={0}>
          {request}
        </pre>
        <CopyButton text={request} />
      </div>
    </li>
  );
}

function ModelStep() {
  return (
    <li>
      <strong>Get a larger model.</strong> The one that comes with askd knows askd and little else.{' '}
      <Link href="/models/catalogue">See what suits this machine</Link>, or download the best for chat in a
      terminal:
      <div className="secret">
        <code>{PULL}</code>
        <CopyButton text={PULL} />
      </div>
    </li>
  );
}
