import { lazy, Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useLive } from '../data/live.ts';
import { Overview } from '../screens/overview.tsx';
import { Navigation } from './navigation.tsx';
import { SCREENS } from './screens.ts';

const Playground = lazy(async () => ({
  default: (await import('../screens/playground/playground.tsx')).Playground,
}));
const Keys = lazy(async () => ({ default: (await import('../screens/keys/keys.tsx')).Keys }));
const Usage = lazy(async () => ({ default: (await import('../screens/usage/usage.tsx')).Usage }));
const Wallet = lazy(async () => ({ default: (await import('../screens/wallet.tsx')).Wallet }));
const Sessions = lazy(async () => ({ default: (await import('../screens/sessions.tsx')).Sessions }));

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
              <Route path="/" component={Overview} />
              <Route path="/playground" component={Playground} />
              <Route path="/keys" component={Keys} />
              <Route path="/usage" component={Usage} />
              <Route path="/wallet" component={Wallet} />
              <Route path="/sessions" component={Sessions} />
              <Route>
                <h1>There is no such page</h1>
              </Route>
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
  const name = SCREENS.find((screen) => screen.path === path)?.name;
  useEffect(() => {
    document.title = name === undefined ? 'askd' : `${name} – askd`;
    if (!first.current) document.getElementById('main')?.focus({ preventScroll: true });
    first.current = false;
  }, [name]);
}
