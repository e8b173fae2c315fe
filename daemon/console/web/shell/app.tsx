import { Suspense, useEffect, useRef } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useLive } from '../data/live.ts';
import { member } from '../data/person.ts';
import { Navigation } from './navigation.tsx';
import { NoSuchPage } from './no-such-page.tsx';
import { openScreens, screenAt, titleAt } from './screens.ts';

export function App() {
  const { connection } = useLive();
  const screens = openScreens();
  useTitle();
  if (connection === 'ended') return <SignedOut />;
  return (
    <div className="shell">
      <a className="hidden" href="#main">
        Skip to the content
      </a>
      <Navigation />
      <div>
        {connection === 'lost' && (
          <p className="banner" role="alert">
            The daemon does not answer. This page continues once it is running: <code>askd up</code>
          </p>
        )}
        <main id="main" tabIndex={-1}>
          <Suspense fallback={<p className="quiet">Loading…</p>}>
            <Switch>
              {screens.map(({ path, component }) => (
                <Route key={path} path={path === '/' ? path : `${path}/*?`} component={component} />
              ))}
              <Route path="/">
                <Redirect to={screens[0]?.path ?? '/sessions'} replace />
              </Route>
              <Route component={NoSuchPage} />
            </Switch>
          </Suspense>
        </main>
      </div>
    </div>
  );
}

function SignedOut() {
  return (
    <main className="alone">
      <h1>You are signed out</h1>
      {member() === undefined ? (
        <p>
          To sign in, run this on the daemon’s machine: <code>askd dashboard</code>
        </p>
      ) : (
        <p>To sign in again, ask an owner of your account for a link.</p>
      )}
    </main>
  );
}

/** Tells screen readers where they are: the title changes and the focus moves to the new page. */
function useTitle(): void {
  const [path] = useLocation();
  const first = useRef(true);
  const name = screenAt(path)?.name;
  useEffect(() => {
    document.title = titleAt(path);
  }, [path]);
  useEffect(() => {
    if (!first.current) document.getElementById('main')?.focus({ preventScroll: true });
    first.current = false;
  }, [name]);
}
