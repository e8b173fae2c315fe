import { useQuery } from '@tanstack/react-query';
import type { Finding } from '../../../../../src/api/management/library.ts';
import { call } from '../../data/api.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Problem } from '../../parts/problem.tsx';

const FRESH_MS = 5 * 60_000;
const TONES = { ok: 'good', warning: 'warn', problem: 'bad' };

/** What `askd doctor` finds inside the daemon. Hashing large files is left to the command line. */
export function Checks() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['checks'],
    queryFn: () => call<{ findings: Finding[] }>('POST', '/api/daemon/examine', { hashes: false }),
    staleTime: FRESH_MS,
  });
  const wrong = data?.findings.filter(({ level }) => level !== 'ok') ?? [];
  return (
    <section className="card">
      <div className="row apart">
        <h2>Checks</h2>
        <button type="button" disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? 'Checking…' : 'Check again'}
        </button>
      </div>
      <Problem error={error} />
      <p role="status" className="quiet">
        {data && wrong.length === 0 && `All ${data.findings.length} checks passed.`}
      </p>
      {wrong.map((finding) => (
        <Wrong key={`${finding.check} ${finding.message}`} finding={finding} />
      ))}
      <p className="quiet small">
        To check the installation, the service and the hashes of the files too: <code>askd doctor</code>
      </p>
    </section>
  );
}

function Wrong({ finding: { check, level, message, fix } }: { finding: Finding }) {
  return (
    <div className="finding">
      <p>
        <span className={`badge ${TONES[level]}`}>{level}</span> <strong>{check}</strong>: {message}
      </p>
      {fix !== undefined && !fix.startsWith('askd ') && <p className="quiet">To fix it: {fix}</p>}
      {fix?.startsWith('askd ') && (
        <div className="secret">
          <code>{fix}</code>
          <CopyButton text={fix} />
        </div>
      )}
    </div>
  );
}
