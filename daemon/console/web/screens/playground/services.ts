import type { ComponentType } from 'react';
import { later } from '../../shell/later.ts';

export type Service = { path: string; name: string; component: ComponentType };

/** What the playground has a form for, in the order of its tabs. */
export const SERVICES: readonly Service[] = [
  {
    path: '/playground/chat',
    name: 'Chat',
    component: later(() => import('./chat/chat.tsx'), 'Chat'),
  },
];
