import { Link, useLocation } from 'wouter';
import { call } from '../data/api.ts';
import { endSession, useLive, type Connection } from '../data/live.ts';
import type { Session } from '../../../../src/api/account/sessions.ts';
import { SCREEN_GROUPS } from './screens.ts';

const CONNECTIONS: Record<Connection, string> = {
  connecting: 'Connecting…',
  open: 'Running',
  lost: 'Not reachable',
  ended: 'Signed out',
};

export function Navigation() {
  const [path] = useLocation();
  const { connection, latest } = useLive();
  return (
    <header className="sidebar">
      <span className="brand">askd</span>
      <nav aria-label="Main">
        {SCREEN_GROUPS.map((group) => (
          <div key={group[0]?.path} className="group">
            {group.map((screen) => (
              <Link
                key={screen.path}
                href={screen.path}
                aria-current={screen.path === path ? 'page' : undefined}
              >
                {screen.name}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className="foot">
        <span className={`connection small ${connection}`} role="status">
          {CONNECTIONS[connection]}
          {latest && <span className="quiet"> {latest.status.version}</span>}
        </span>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </header>
  );
}

async function signOut(): Promise<void> {
  const { sessions } = await call<{ sessions: Session[] }>('GET', '/api/sessions');
  const current = sessions.find((session) => session.current);
  if (current) await call('DELETE', `/api/sessions/${encodeURIComponent(current.id)}`);
  endSession();
}
