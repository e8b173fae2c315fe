import type { LoadedModel } from '../../../../../../src/api/management/memory.ts';
import { bytes, moment, number } from '../../../data/format.ts';
import { useLive } from '../../../data/live.ts';
import { Problem } from '../../../parts/problem.tsx';
import { load, unload, useChange } from '../data.ts';

export function InMemory() {
  const { latest } = useLive();
  const models = latest?.status.models ?? [];
  return (
    <section className="card" aria-labelledby="memory">
      <h2 id="memory">In memory</h2>
      {models.length === 0 && (
        <p className="quiet">Nothing. The first request to a model loads it, and so does Load below.</p>
      )}
      <div>
        {models.map((model) => (
          <Loaded key={model.artifact} model={model} />
        ))}
      </div>
    </section>
  );
}

function Loaded({ model }: { model: LoadedModel }) {
  const { artifact, pinned } = model;
  const changing = useChange((change: () => Promise<unknown>) => change());
  return (
    <article className="model" aria-label={artifact}>
      <div className="row apart">
        <span className="name">
          <strong>{artifact}</strong>{' '}
          <span className={`badge ${model.state === 'loaded' ? 'good' : 'warn'}`}>{stateOf(model)}</span>{' '}
          {pinned && <span className="badge">pinned</span>}
        </span>
        <div className="row">
          <KeepAlive
            model={model}
            onChange={(text) => changing.mutate(() => load({ model: artifact, keep_alive: text }))}
          />
          <button
            type="button"
            onClick={() => changing.mutate(() => load({ model: artifact, pin: !pinned }))}
          >
            {pinned ? 'Unpin' : 'Pin'}
          </button>
          <button
            type="button"
            aria-label={`Unload ${artifact} from memory`}
            onClick={() => changing.mutate(() => unload(artifact))}
          >
            Unload
          </button>
        </div>
      </div>
      <span className="small quiet">{whereOf(model)}</span>
      <span className="small quiet">{[...contextOf(model), useOf(model)].join('. ')}</span>
      {model.fallback !== null && <span className="small problem">{model.fallback}</span>}
      <Problem error={changing.error} />
    </article>
  );
}

const KEEP_ALIVES = ['0', '5m', '30m', '2h', 'forever'] as const;

function KeepAlive({ model, onChange }: { model: LoadedModel; onChange: (text: string) => void }) {
  return (
    <select
      className="inline"
      aria-label={`Keep ${model.artifact} in memory when idle`}
      value=""
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="" disabled>
        Keep for…
      </option>
      {KEEP_ALIVES.map((text) => (
        <option key={text} value={text}>
          {text === '0' ? 'unload when idle' : text}
        </option>
      ))}
    </select>
  );
}

function stateOf({ state, progress }: LoadedModel): string {
  return state === 'loading' && progress !== null ? `loading ${Math.round(progress * 100)} %` : state;
}

function whereOf({ bytes: memory, device, engine, services }: LoadedModel): string {
  const serves = services.length === 0 ? '' : `, serves ${services.join(', ')}`;
  return `${bytes(memory)} on ${device ?? 'cpu'} by ${engine}${serves}`;
}

function contextOf({ context_tokens: tokens, context_reason: reason }: LoadedModel): string[] {
  return tokens === null
    ? []
    : [`${number(tokens)} tokens of context${reason === null ? '' : `: ${reason}`}`];
}

function useOf({ busy, slots, queued, pinned, expires_at: expires }: LoadedModel): string {
  const idle = pinned
    ? 'stays until it is unpinned'
    : expires === null
      ? 'in use'
      : `unloaded ${moment(expires)} if idle`;
  return `${busy} of ${slots} slots busy, ${queued} queued, ${idle}`;
}
