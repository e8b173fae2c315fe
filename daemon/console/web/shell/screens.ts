import type { ComponentType } from 'react';
import { Overview } from '../screens/overview/overview.tsx';
import { SERVICES } from '../screens/playground/services.ts';
import type { IconName } from './icons.tsx';
import { later } from './later.ts';

export type Screen = {
  path: string;
  name: string;
  icon: IconName;
  component: ComponentType;
  /** Pages below this one that have names of their own. */
  pages?: readonly { path: string; name: string }[];
};
type ScreenGroup = { name: string; screens: readonly Screen[] };

/** In groups, as the navigation shows them. */
export const SCREEN_GROUPS: readonly ScreenGroup[] = [
  {
    name: 'Build',
    screens: [
      { path: '/', name: 'Overview', icon: 'overview', component: Overview },
      {
        path: '/playground',
        name: 'Playground',
        icon: 'playground',
        component: later(() => import('../screens/playground/playground.tsx'), 'Playground'),
        pages: SERVICES,
      },
      {
        path: '/agent',
        name: 'Agent',
        icon: 'agent',
        component: later(() => import('../screens/agent/agent.tsx'), 'Agent'),
        pages: [
          { path: '/agent/runs', name: 'Earlier runs' },
          { path: '/agent/documents', name: 'Documents' },
        ],
      },
      {
        path: '/batches',
        name: 'Batches',
        icon: 'batches',
        component: later(() => import('../screens/batches/batches.tsx'), 'Batches'),
      },
      {
        path: '/models',
        name: 'Models',
        icon: 'models',
        component: later(() => import('../screens/models/models.tsx'), 'Models'),
      },
    ],
  },
  {
    name: 'Account',
    screens: [
      {
        path: '/keys',
        name: 'API keys',
        icon: 'keys',
        component: later(() => import('../screens/keys/keys.tsx'), 'Keys'),
      },
      {
        path: '/usage',
        name: 'Usage',
        icon: 'usage',
        component: later(() => import('../screens/usage/usage.tsx'), 'Usage'),
      },
      {
        path: '/wallet',
        name: 'Wallet',
        icon: 'wallet',
        component: later(() => import('../screens/wallet/wallet.tsx'), 'Wallet'),
      },
      {
        path: '/webhooks',
        name: 'Webhooks',
        icon: 'webhooks',
        component: later(() => import('../screens/webhooks/webhooks.tsx'), 'Webhooks'),
      },
    ],
  },
  {
    name: 'Daemon',
    screens: [
      {
        path: '/logs',
        name: 'Logs',
        icon: 'logs',
        component: later(() => import('../screens/logs/logs.tsx'), 'Logs'),
      },
      {
        path: '/settings',
        name: 'Settings',
        icon: 'settings',
        component: later(() => import('../screens/settings/settings.tsx'), 'Settings'),
      },
      {
        path: '/sessions',
        name: 'Sessions',
        icon: 'sessions',
        component: later(() => import('../screens/sessions.tsx'), 'Sessions'),
      },
    ],
  },
];

export const SCREENS = SCREEN_GROUPS.flatMap(({ screens }) => screens);

/** A screen may have addresses of its own below its path. */
export function screenAt(path: string): Screen | undefined {
  return SCREENS.find((screen) => screen.path === path || path.startsWith(`${screen.path}/`));
}

export function titleAt(path: string): string {
  const screen = screenAt(path);
  const page = screen?.pages?.find((each) => each.path === path);
  return [page?.name, screen?.name, 'askd'].filter((name) => name !== undefined).join(' – ');
}
