import type { ReactNode } from 'react';
import type { CheckStep, ModelCheck } from '../../../../../../src/api/management/check.ts';
import { moment, number } from '../../../data/format.ts';
import { Problem } from '../../../parts/problem.tsx';
import { useChange } from '../data.ts';
import { startCheck, stopCheck, useChecking } from './checks.ts';

const STATES: Readonly<Record<CheckStep['status'], string>> = {
  passed: 'good',
  weak: 'warn',
  failed: 'bad',
  skipped: '',
};

const VERDICTS: Readonly<Record<ModelCheck['verdict'], readonly [text: string, tone: string]>> = {
  good: ['works', 'good'],
  weak: ['weak', 'warn'],
  broken: ['broken', 'bad'],
  unknown: ['not known', ''],
};

/** What the last check of a model found, or what the running one finds. */
export function CheckBadge({ model, check }: { model: string; check: ModelCheck | undefined }) {
  const checking = useChecking(model);
  if (checking?.isRunning) return <span className="badge">checking…</span>;
  const known = checking?.check ?? check;
  if (known === undefined) return null;
  const [text, tone] = VERDICTS[known.verdict];
  return (
    <span className={`badge ${tone}`} title={known.summary}>
      {text}
    </span>
  );
}

/** Whether a model works on this machine: each finding, and the verdict in words. */
export function CheckView({ model, check, summary }: ViewProps) {
  const checking = useChecking(model);
  const starting = useChange((full: boolean) => startCheck({ model, full }));
  const { isRunning = false, name = null, error } = checking ?? {};
  const known = isRunning ? undefined : (checking?.check ?? check);
  const steps = isRunning || checking?.error ? (checking?.steps ?? []) : (known?.steps ?? []);
  return (
    <section className="check" aria-label="Check">
      <div className="row apart">
        <span className="row">
          <strong>Check</strong> <CheckBadge model={model} check={check} />
        </span>
        {isRunning ? (
          <button key="stop" type="button" onClick={() => stopCheck(model)}>
            Stop
          </button>
        ) : (
          <div className="row">
            <button type="button" onClick={() => starting.mutate(true)}>
              Check everything
            </button>
            <button type="button" onClick={() => starting.mutate(false)}>
              {known ? 'Check again' : 'Check'}
            </button>
          </div>
        )}
      </div>
      <p role="status" className={known ? '' : 'quiet'}>
        {isRunning ? `Checking: ${name ?? 'next step'}…` : (known?.summary ?? summary)}
      </p>
      {!isRunning && error && <Problem error={error} />}
      {steps.length > 0 && <Steps steps={steps} />}
      {known && <Speeds check={known} />}
    </section>
  );
}

type ViewProps = { model: string; check: ModelCheck | undefined; summary?: ReactNode };

function Steps({ steps }: { steps: readonly CheckStep[] }) {
  return (
    <ul className="findings small">
      {steps.map(({ name, status, message, seconds }) => (
        <li key={name}>
          <span className={`badge ${STATES[status]}`}>{status}</span>
          <span>
            <strong>{name}</strong> {message}
            {seconds >= 1 && <span className="quiet took"> {Math.round(seconds)} s</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Speeds({
  check: { tokens_per_second: speeds, checked_at: at, is_full: isFull },
}: {
  check: ModelCheck;
}) {
  const measured = Object.entries(speeds).map(
    ([streams, speed]) =>
      `${number(Math.round(speed))} tokens/s with ${streams} stream${streams === '1' ? '' : 's'}`,
  );
  return (
    <p className="quiet small">
      {[`Checked ${moment(at)}${isFull ? ', everything' : ''}`, ...measured].join(', ')}
    </p>
  );
}
