import { Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useLive } from '../data/live.ts';
import { Navigation } from './navigation.tsx';
import { NoSuchPage } from './no-such-page.tsx';
import { SCREENS, screenAt, titleAt } from './screens.ts';

export function App() {
  const { connection } = useLive();
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
            The daemon does not answer. This page continues when it is back: <code>askd up</code>
          </p>
        )}
        <main id="main" tabIndex={-1}>
          <Suspense fallback={<p className="quiet">Loading…</p>}>
            <Switch>
              {SCREENS.map(({ path, component }) => (
                <Route key={path} path={path === '/' ? path : `${path}/*?`} component={component} />
              ))}
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
      <p>
        To sign in, run this on the machine of the daemon: <code>askd dashboard</code>
      </p>
    </main>
  );
}

/** A screen reader hears where it is: the title changes and the focus moves to the new page. */
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
