import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { EngineInfo, EngineInstallation } from '../../../../../../src/api/management/engines.ts';
import { call, reach } from '../../../data/api.ts';
import { readEvents } from '../../../data/playground-key.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { useChange } from '../data.ts';
import { size } from '../size.ts';

const STATES: Record<EngineInfo['state'], string> = {
  installed: 'installed',
  in_repository: 'part of this clone',
  not_installed: 'not installed',
  unsupported: 'not for this machine',
};

export function Engines() {
  const { data, error } = useQuery({
    queryKey: ['models', 'engines'],
    queryFn: () => call<{ engines: EngineInfo[] }>('GET', '/api/daemon/engines'),
  });
  return (
    <section className="card" aria-labelledby="engines">
      <h2 id="engines">Optional engines</h2>
      <p className="quiet small">
        Each package is verified by its hash. Compiling the chat engine for this machine takes minutes to
        hours and runs in a terminal: <code>askd engines build</code>
      </p>
      <Problem error={error} />
      <div>
        {data?.engines.map((engine) => (
          <Engine key={engine.name} engine={engine} />
        ))}
      </div>
    </section>
  );
}

function Engine({ engine }: { engine: EngineInfo }) {
  const { name, purpose, version, state, bytes } = engine;
  const [isAsking, setAsking] = useState(false);
  const installation = useInstallation(name);
  const { installing, progress } = installation;
  const removing = useChange(() => call('DELETE', `/api/daemon/engines/${encodeURIComponent(name)}`));
  return (
    <article className="model" aria-label={name}>
      <div className="row apart">
        <span className="name">
          <strong>{name}</strong> <span className="quiet">{version}</span>{' '}
          <span className={`badge ${/^(installed|in_repository)$/.test(state) ? 'good' : ''}`}>
            {STATES[state]}
          </span>
        </span>
        <Actions engine={engine} installation={installation} onRemove={() => setAsking(true)} />
      </div>
      <span className="small quiet">
        {purpose}
        {state === 'not_installed' && bytes > 0 && `, ${size(bytes)} to download`}
        {engine.path !== null && `. ${engine.path}`}
      </span>
      {progress && <Progress progress={progress} />}
      <Problem error={installing.error} />
      {isAsking && (
        <Confirm
          title={`Remove ${name}`}
          action="Remove"
          onClose={() => setAsking(false)}
          run={() => removing.mutateAsync()}
        >
          The models that use it are unloaded, and cannot run until it is installed again.
        </Confirm>
      )}
    </article>
  );
}

type ActionsProps = {
  engine: EngineInfo;
  installation: ReturnType<typeof useInstallation>;
  onRemove: () => void;
};

function Actions({ engine, installation, onRemove }: ActionsProps) {
  const { name, state, gpus } = engine;
  const { installing, stop } = installation;
  const install = (label: string, text: string, body: { gpu?: string }) => (
    <button
      key={label}
      type="button"
      disabled={installing.isPending}
      aria-label={label}
      onClick={() => installing.mutate(body)}
    >
      {text}
    </button>
  );
  const offered = state === 'installed' ? gpus.filter((gpu) => !gpu.is_installed) : [];
  return (
    <div className="row">
      {installing.isPending && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
      {state === 'not_installed' && name !== 'llama-build' && install(`Install ${name}`, 'Install', {})}
      {offered.map((gpu) => install(`Add ${gpu.name}`, `Add ${gpu.name}`, { gpu: gpu.name }))}
      {state === 'installed' && (
        <button type="button" className="danger" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </button>
      )}
    </div>
  );
}

function Progress({ progress }: { progress: EngineInstallation }) {
  const { package: current, packages_done: done, packages_total: total, bytes_received: received } = progress;
  return (
    <>
      <progress aria-label="Installed" max={Math.max(1, progress.bytes_total)} value={received} />
      <span className="small quiet">
        {done} of {total} packages, {size(received)} of {size(progress.bytes_total)}
        {current !== null && current !== '' && `, ${current}`}
      </span>
    </>
  );
}

/** Leaving the page stops it; installing again resumes it. */
function useInstallation(name: string) {
  const [progress, setProgress] = useState<EngineInstallation>();
  const running = useRef<AbortController>(undefined);
  const changed = useChange(() => Promise.resolve());
  const installing = useMutation({
    mutationFn: async (body: { gpu?: string }) => {
      running.current = new AbortController();
      const response = await reach(`/api/daemon/engines/${encodeURIComponent(name)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: running.current.signal,
      });
      for await (const data of readEvents(response)) {
        const event = JSON.parse(data) as EngineInstallation | { error: { message: string } };
        if ('error' in event) throw new Error(event.error.message);
        setProgress(event.state === 'done' ? undefined : event);
      }
    },
    onSettled: () => {
      setProgress(undefined);
      changed.mutate();
    },
  });
  return {
    installing,
    progress,
    stop: () => running.current?.abort(new Error('Stopped. Install again to continue.')),
  };
}
