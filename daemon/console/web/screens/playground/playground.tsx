import { Suspense, useEffect, useRef } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { NoSuchPage } from '../../shell/no-such-page.tsx';
import { SERVICES } from './services.ts';
import './playground.css';

export function Playground() {
  return (
    <>
      <h1>Playground</h1>
      <Services />
      <Suspense fallback={<p className="quiet">Loading…</p>}>
        <Switch>
          <Route path="/playground">
            <Redirect to="/playground/chat" replace />
          </Route>
          {SERVICES.map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route component={NoSuchPage} />
        </Switch>
      </Suspense>
    </>
  );
}

/** On a small screen the list scrolls, and the open entry is kept in view. */
function Services() {
  const [path] = useLocation();
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  return (
    <nav ref={list} className="tabs" aria-label="Services">
      {SERVICES.map((service) => (
        <Link
          key={service.path}
          href={service.path}
          aria-current={service.path === path ? 'page' : undefined}
        >
          {service.name}
        </Link>
      ))}
    </nav>
  );
}
