import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { NoSuchPage } from '../../shell/no-such-page.tsx';
import { Bench } from './bench/bench.tsx';
import { Catalogue } from './catalogue/catalogue.tsx';
import { Engines } from './engines/engines.tsx';
import { Installed } from './installed/installed.tsx';
import { PullList } from './pulls/pull-list.tsx';
import './models.css';

const PAGES = [
  { path: '/models/installed', name: 'On this machine', component: Installed },
  { path: '/models/catalogue', name: 'Catalogue and hub', component: Catalogue },
  { path: '/models/engines', name: 'Engines', component: Engines },
  { path: '/models/bench', name: 'Bench', component: Bench },
] as const;

export function Models() {
  const [path] = useLocation();
  return (
    <>
      <h1>Models</h1>
      <nav className="tabs" aria-label="Models">
        {PAGES.map((page) => (
          <Link key={page.path} href={page.path} aria-current={page.path === path ? 'page' : undefined}>
            {page.name}
          </Link>
        ))}
      </nav>
      <PullList />
      <Switch>
        <Route path="/models">
          <Redirect to="/models/installed" replace />
        </Route>
        {PAGES.map(({ path: each, component }) => (
          <Route key={each} path={each} component={component} />
        ))}
        <Route component={NoSuchPage} />
      </Switch>
    </>
  );
}
