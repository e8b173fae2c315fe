import type { ComponentType } from 'react';
import type { MemberRole } from '../../../../src/api/account/members.ts';
import { hasMembers, ownsMachine, role } from '../data/person.ts';
import { Overview } from '../screens/overview/overview.tsx';
import { SERVICES } from '../screens/playground/services.ts';
import type { IconName } from './icons.tsx';
import { later } from './later.ts';

export type Screen = {
  path: string;
  name: string;
  icon: IconName;
  component: ComponentType;
  /** The account roles that may open it. The machine's owner may open all. */
  roles?: readonly MemberRole[];
  /** Pages below this one that have their own names. */
  pages?: readonly { path: string; name: string }[];
};
export type ScreenGroup = { name: string; screens: readonly Screen[] };

const GROUPS: readonly ScreenGroup[] = [
  {
    name: 'Build',
    screens: [
      { path: '/', name: 'Overview', icon: 'overview', component: Overview },
      {
        path: '/playground',
        name: 'Playground',
        icon: 'playground',
        component: later(() => import('../screens/playground/playground.tsx'), 'Playground'),
        roles: ['owner', 'member'],
        pages: SERVICES,
      },
      {
        path: '/agent',
        name: 'Agent',
        icon: 'agent',
        component: later(() => import('../screens/agent/agent.tsx'), 'Agent'),
        roles: ['owner', 'member'],
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
        roles: ['owner'],
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
        roles: ['owner', 'member'],
      },
      {
        path: '/usage',
        name: 'Usage',
        icon: 'usage',
        component: later(() => import('../screens/usage/usage.tsx'), 'Usage'),
        roles: ['owner', 'billing'],
      },
      {
        path: '/wallet',
        name: 'Wallet',
        icon: 'wallet',
        component: later(() => import('../screens/wallet/wallet.tsx'), 'Wallet'),
        roles: ['owner', 'billing'],
      },
      {
        path: '/webhooks',
        name: 'Webhooks',
        icon: 'webhooks',
        component: later(() => import('../screens/webhooks/webhooks.tsx'), 'Webhooks'),
        roles: ['owner'],
      },
      {
        path: '/members',
        name: 'Members',
        icon: 'members',
        component: later(() => import('../screens/members/members.tsx'), 'Members'),
        roles: ['owner'],
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
        roles: ['owner', 'member', 'billing'],
      },
      {
        path: '/audit',
        name: 'Audit log',
        icon: 'audit',
        component: later(() => import('../screens/audit/audit.tsx'), 'Audit'),
      },
    ],
  },
];

/** The screens that the signed-in person may open, in groups, as the navigation shows them. */
export function openGroups(): ScreenGroup[] {
  const groups = GROUPS.map(({ name, screens }) => ({ name, screens: screens.filter(isOpen) }));
  return groups.filter(({ screens }) => screens.length > 0);
}

export const openScreens = (): Screen[] => openGroups().flatMap(({ screens }) => screens);

function isOpen({ path, roles = [] }: Screen): boolean {
  if (path === '/members') return hasMembers();
  return ownsMachine() || roles.includes(role());
}

/** A screen may have its own addresses below its path. */
export function screenAt(path: string): Screen | undefined {
  return openScreens().find((screen) => screen.path === path || path.startsWith(`${screen.path}/`));
}

export function titleAt(path: string): string {
  const screen = screenAt(path);
  const page = screen?.pages?.find((each) => each.path === path);
  return [page?.name, screen?.name, 'askd'].filter((name) => name !== undefined).join(' – ');
}
