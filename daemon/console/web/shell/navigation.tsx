import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../data/api.ts';
import { endSession, useLive, type Connection } from '../data/live.ts';
import { member } from '../data/person.ts';
import type { Session } from '../../../../src/api/account/sessions.ts';
import { Icon } from './icons.tsx';
import { openGroups, screenAt, type ScreenGroup } from './screens.ts';
import { ThemeButton } from './theme-button.tsx';

const CONNECTIONS: Record<Connection, string> = {
  connecting: 'Connecting…',
  open: 'Running',
  lost: 'Not reachable',
  ended: 'Signed out',
};

/** On a narrow screen, the links are behind a button, and choosing one closes them. */
export function Navigation() {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="sidebar" onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}>
      <span className="brand">
        <Mark />
        askd
      </span>
      <button
        type="button"
        className="menu plain square"
        aria-expanded={isOpen}
        aria-controls="navigation"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="menu" />
        <span className="hidden">Menu</span>
      </button>
      <nav id="navigation" aria-label="Main" className={isOpen ? 'open' : ''} onClick={() => setOpen(false)}>
        {openGroups().map((group) => (
          <Group key={group.name} group={group} path={path} />
        ))}
      </nav>
      <Foot />
    </header>
  );
}

function Group({ group: { name, screens }, path }: { group: ScreenGroup; path: string }) {
  const current = screenAt(path);
  return (
    <div className="group" role="group" aria-label={name}>
      <span className="caption" aria-hidden="true">
        {name}
      </span>
      {screens.map((screen) => (
        <Link key={screen.path} href={screen.path} aria-current={screen === current ? 'page' : undefined}>
          <Icon name={screen.icon} />
          {screen.name}
        </Link>
      ))}
    </div>
  );
}

function Foot() {
  const { connection, latest } = useLive();
  const person = member();
  return (
    <div className="foot">
      <span className={`connection small ${connection}`} role="status">
        {CONNECTIONS[connection]}
        {latest && <span className="quiet"> {latest.status.version}</span>}
      </span>
      {person && (
        <span className="small">
          {person.member}
          <span className="quiet">
            {' '}
            {person.role} of {person.account}
          </span>
        </span>
      )}
      <div className="row">
        <button type="button" className="grow" onClick={() => void signOut()}>
          Sign out
        </button>
        <ThemeButton />
      </div>
    </div>
  );
}

function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 11l5 5l-5 5 M16 21h8" />
    </svg>
  );
}

async function signOut(): Promise<void> {
  const { sessions } = await call<{ sessions: Session[] }>('GET', '/api/sessions');
  const current = sessions.find((session) => session.current);
  if (current) await call('DELETE', `/api/sessions/${encodeURIComponent(current.id)}`);
  endSession();
}
