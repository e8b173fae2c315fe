import type { Services } from './compose.ts';
import type { Mount } from './mount.ts';
import { mountChat } from './routes/chat.ts';
import { mountDaemon } from './routes/daemon.ts';
import { mountKeys } from './routes/keys.ts';
import { mountLibrary } from './routes/library.ts';
import { mountModels } from './routes/models.ts';

/** Every group of routes on the server. */
export const ROUTES: readonly ((mount: Mount, services: Services) => void)[] = [
  mountChat,
  mountModels,
  mountKeys,
  mountDaemon,
  mountLibrary,
];
