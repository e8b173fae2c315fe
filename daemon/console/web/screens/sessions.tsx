import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Session } from '../../../../src/api/account/sessions.ts';
import { call } from '../data/api.ts';
import { browserName } from '../data/browser-name.ts';
import { moment } from '../data/format.ts';
import { endSession } from '../data/live.ts';
import { ActionsHeading } from '../parts/actions-heading.tsx';
import { Problem } from '../parts/problem.tsx';

export function Sessions() {
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => call<{ sessions: Session[] }>('GET', '/api/sessions'),
  });
  const ending = useMutation({
    mutationFn: ({ id }: Session) => call('DELETE', `/api/sessions/${encodeURIComponent(id)}`),
    onSuccess: (_answer, { current }) => {
      if (current) endSession();
      else void queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <>
      <h1>Sessions</h1>
      <p className="quiet">Who is signed in to this console.</p>
      <Problem error={error ?? ending.error} />
      {data && (
        <section className="card scroll" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>Opened by</th>
                <th>Opened</th>
                <th>Last used</th>
                <th>Expires</th>
                <ActionsHeading />
              </tr>
            </thead>
            <tbody>
              {data.sessions.map((session) => (
                <SessionRow key={session.id} session={session} onEnd={() => ending.mutate(session)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const opener = openerOf(session);
  const action = session.current ? 'Sign out' : 'End';
  return (
    <tr>
      <td title={session.user_agent ?? undefined}>
        {opener} {session.current && <span className="badge good">this one</span>}
      </td>
      <td>{moment(session.created_at)}</td>
      <td>{moment(session.last_seen_at)}</td>
      <td>{moment(session.expires_at)}</td>
      <td>
        <button
          type="button"
          aria-label={`${action}: ${opener}, opened ${moment(session.created_at)}`}
          onClick={onEnd}
        >
          {action}
        </button>
      </td>
    </tr>
  );
}

function openerOf({ kind, user_agent: userAgent }: Session): string {
  if (kind === 'script') return 'command line';
  return userAgent === null ? 'a browser' : browserName(userAgent);
}
