import { Link, Route, Switch, useLocation } from 'wouter';
import { ownsMachine } from '../../data/person.ts';
import { NoSuchPage } from '../../shell/no-such-page.tsx';
import { Ask } from './ask/ask.tsx';
import { Documents } from './documents/documents.tsx';
import { Earlier } from './earlier/earlier.tsx';
import { Session } from './session.tsx';
import './agent.css';

const ALL_PAGES = [
  { path: '/agent', name: 'Ask', component: Ask },
  { path: '/agent/runs', name: 'Earlier runs', component: Earlier },
  { path: '/agent/documents', name: 'Documents', component: Documents },
] as const;

export function Agent() {
  const [path] = useLocation();
  const pages = ALL_PAGES.filter(({ name }) => name !== 'Documents' || ownsMachine());
  return (
    <>
      <h1>Agent</h1>
      <nav className="tabs" aria-label="Agent">
        {pages.map((page) => (
          <Link key={page.path} href={page.path} aria-current={page.path === path ? 'page' : undefined}>
            {page.name}
          </Link>
        ))}
      </nav>
      <Switch>
        {pages.map(({ path: each, component }) => (
          <Route key={each} path={each} component={component} />
        ))}
        <Route path="/agent/sessions/:id">{({ id }) => <Session key={id} id={id} />}</Route>
        <Route component={NoSuchPage} />
      </Switch>
    </>
  );
}
