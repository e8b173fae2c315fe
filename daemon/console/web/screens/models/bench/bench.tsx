import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { credits, number } from '../../../data/format.ts';
import { useLive } from '../../../data/live.ts';
import { Problem } from '../../../parts/problem.tsx';
import { load, useArtifacts, useServices } from '../data.ts';
import {
  ANSWER_TOKENS,
  bench,
  numbersOf,
  RUNS,
  STREAMS,
  totalDecode,
  type Measured,
  type Result,
} from './measure.ts';

export function Bench() {
  const models = useChatModels();
  const [model, setModel] = useState('svc-chat-v1');
  const [step, setStep] = useState('');
  const running = useRef<AbortController>(undefined);
  const measuring = useMutation({
    mutationFn: async () => {
      running.current = new AbortController();
      setStep('Loading the model');
      await load({ model });
      return bench(model, setStep, running.current.signal);
    },
    onSettled: () => setStep(''),
  });
  return (
    <section className="card" aria-labelledby="bench">
      <h2 id="bench">Bench</h2>
      <p className="quiet small">
        Sends a prompt of about 500 tokens and asks for {ANSWER_TOKENS}, {RUNS} times in a row and then{' '}
        {STREAMS} times at once, through the same API and at the same price as an application. Each prompt is
        new, so no cache helps.
      </p>
      <div className="filters">
        <label className="field">
          <span className="label">Model</span>
          <select value={model} onChange={({ target }) => setModel(target.value)}>
            {models.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        {measuring.isPending ? (
          <button type="button" onClick={() => running.current?.abort(new Error('Stopped.'))}>
            Stop
          </button>
        ) : (
          <button type="button" className="primary" onClick={() => measuring.mutate()}>
            Measure
          </button>
        )}
      </div>
      <p className="small" role="status">
        {step}
      </p>
      <Problem error={measuring.error} />
      {measuring.data && <Numbers result={measuring.data} />}
    </section>
  );
}

function useChatModels(): string[] {
  const { data: services = [] } = useServices();
  const { data } = useArtifacts();
  const artifacts =
    data?.artifacts.filter(({ tasks, is_present: isPresent }) => isPresent && tasks.includes('chat')) ?? [];
  const chats = services.filter(({ capabilities }) => capabilities['chat_completion']);
  return [...new Set(['svc-chat-v1', ...chats.map(({ id }) => id), ...artifacts.map(({ id }) => id)])];
}

function Numbers({ result: { single, parallel } }: { result: Result }) {
  const rows: [string, readonly Measured[], string][] = [
    ['One stream', single, `median of ${RUNS}`],
    [`${STREAMS} streams`, parallel, 'median of each stream'],
  ];
  const tokens = (measured: readonly Measured[], of: 'promptTokens' | 'answerTokens') =>
    Math.round(measured.reduce((sum, each) => sum + each[of], 0) / measured.length);
  return (
    <>
      <div className="scroll" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Load</th>
              <th>First token</th>
              <th>Prefill</th>
              <th>Decode</th>
              <th>All streams</th>
              <th>Tokens</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, measured, of]) => {
              const { firstMs, prefill, decode } = numbersOf(measured);
              return (
                <tr key={name}>
                  <th scope="row">
                    {name} <span className="quiet">({of})</span>
                  </th>
                  <td>{Math.round(firstMs)} ms</td>
                  <td>{perSecond(prefill)}</td>
                  <td>{perSecond(decode)}</td>
                  <td>{perSecond(measured.length === STREAMS ? totalDecode(measured) : decode)}</td>
                  <td>
                    {tokens(measured, 'promptTokens')} + {tokens(measured, 'answerTokens')}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Cost measured={[...single, ...parallel]} />
      <p className="quiet small">
        Measured in this page. Prefill is the tokens of the prompt divided by the time to the first token,
        which includes the way to the daemon and back and the wait for a slot. Decode runs from the first
        token to the last. A busy browser and other requests make it slower. Figures from answers of fewer
        than {ANSWER_TOKENS} tokens are less exact.
      </p>
    </>
  );
}

/** From the daemon's own measurements of each request. */
function Cost({ measured }: { measured: readonly Measured[] }) {
  const { events } = useLive();
  const costs = measured.flatMap(({ requestId }) =>
    events.flatMap(({ type, data }) =>
      type === 'chat.completed' && data['request_id'] === requestId ? [Number(data['cost'])] : [],
    ),
  );
  const spent = costs.reduce((sum, cost) => sum + cost, 0);
  return (
    <p className="small">
      {costs.length === measured.length
        ? `Cost: ${credits(spent)} credits for ${measured.length} requests.`
        : `Cost: waiting for the charges of ${measured.length - costs.length} requests…`}
    </p>
  );
}

function perSecond(value: number): string {
  return value === 0 ? '–' : `${number(Math.round(value * 10) / 10)} tokens/s`;
}
