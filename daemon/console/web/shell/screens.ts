import { lazy, type ComponentType } from 'react';
import { Overview } from '../screens/overview/overview.tsx';

export type Screen = { path: string; name: string; component: ComponentType };

/** A screen is fetched when it is first opened. */
function later<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }));
}

/** In groups, as the navigation shows them. */
export const SCREEN_GROUPS: readonly (readonly Screen[])[] = [
  [
    { path: '/', name: 'Overview', component: Overview },
    {
      path: '/playground',
      name: 'Playground',
      component: later(() => import('../screens/playground/playground.tsx'), 'Playground'),
    },
  ],
  [{ path: '/keys', name: 'API keys', component: later(() => import('../screens/keys/keys.tsx'), 'Keys') }],
  [
    { path: '/usage', name: 'Usage', component: later(() => import('../screens/usage/usage.tsx'), 'Usage') },
    {
      path: '/wallet',
      name: 'Wallet',
      component: later(() => import('../screens/wallet/wallet.tsx'), 'Wallet'),
    },
  ],
  [
    {
      path: '/sessions',
      name: 'Sessions',
      component: later(() => import('../screens/sessions.tsx'), 'Sessions'),
    },
  ],
];

export const SCREENS = SCREEN_GROUPS.flat();
