import type { ComponentType } from 'react';
import { later } from '../../shell/later.ts';

export type Service = { path: string; name: string; component: ComponentType };

/** The services that the playground has a form for, in the order of its tabs. */
export const SERVICES: readonly Service[] = [
  {
    path: '/playground/chat',
    name: 'Chat',
    component: later(() => import('./chat/chat.tsx'), 'Chat'),
  },
  {
    path: '/playground/completion',
    name: 'Completion',
    component: later(() => import('./completion/completion.tsx'), 'Completion'),
  },
  {
    path: '/playground/embeddings',
    name: 'Embeddings',
    component: later(() => import('./embeddings/embeddings.tsx'), 'Embeddings'),
  },
  {
    path: '/playground/rerank',
    name: 'Rerank',
    component: later(() => import('./rerank/rerank.tsx'), 'Rerank'),
  },
  {
    path: '/playground/moderation',
    name: 'Moderation',
    component: later(() => import('./moderation/moderation.tsx'), 'Moderation'),
  },
  {
    path: '/playground/translation',
    name: 'Translation',
    component: later(() => import('./translation/translation.tsx'), 'Translation'),
  },
  {
    path: '/playground/transcription',
    name: 'Transcription',
    component: later(() => import('./transcription/transcription.tsx'), 'Transcription'),
  },
  {
    path: '/playground/speech',
    name: 'Speech',
    component: later(() => import('./speech/speech.tsx'), 'Speech'),
  },
  {
    path: '/playground/images',
    name: 'Images',
    component: later(() => import('./images/images.tsx'), 'Images'),
  },
];
