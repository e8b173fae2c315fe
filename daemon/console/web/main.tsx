import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { ApiError } from './data/api.ts';
import { followEvents, followSession } from './data/live.ts';
import { findPerson, ownsMachine } from './data/person.ts';
import { App } from './shell/app.tsx';
import { applyTheme } from './shell/theme.ts';
import './styles/base.css';

const RETRIES_MAX = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Retrying does not help if the daemon refuses; it helps only if the daemon is away.
      retry: (failures, error) => !(error instanceof ApiError) && failures < RETRIES_MAX,
    },
  },
});

applyTheme();
await findPerson();
if (ownsMachine()) followEvents(queries);
else void followSession();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <Router base="/dashboard">
        <App />
      </Router>
    </QueryClientProvider>,
  );
}
