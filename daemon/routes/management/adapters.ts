import { existsSync } from 'node:fs';
import {
  addAdapter,
  listAdapters,
  removeAdapter,
  type Adapter as Shown,
} from '../../../src/api/management/adapters.ts';
import type { Adapter } from '../../../src/library/adapters/adapters.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerAdapters(register: RegisterRoute, { library, pool }: Services): void {
  register(listAdapters, () => ({ adapters: library.adapters.list().map(toShown) }));
  register(addAdapter, ({ body }) => {
    const { name, path, base, scale = 1 } = body;
    return toShown(library.adapters.add({ name, path, base, scale }));
  });
  register(removeAdapter, async ({ params }) => {
    const removed = toShown(library.adapters.remove(params['name'] ?? ''));
    await pool.stop(removed.model);
    return removed;
  });
}

function toShown({ name, base, path, bytes, scale }: Adapter): Shown {
  return { name, base, model: `${base}+${name}`, path, bytes, scale, is_present: existsSync(path) };
}
