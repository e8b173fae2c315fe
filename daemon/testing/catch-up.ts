import type { Services } from '../compose.ts';

type Parts = Pick<
  Services,
  'webhooks' | 'topups' | 'responses' | 'conversations' | 'files' | 'vectorStores' | 'gallery'
>;

/** Does at once what the daemon would have done during the time that its clock has just skipped. */
export async function catchUp(parts: Parts): Promise<void> {
  const { webhooks, topups, responses, conversations, files, vectorStores, gallery } = parts;
  webhooks.worker.wake();
  while ([webhooks.prune(), responses.prune(), conversations.prune()].includes(true));
  while (vectorStores.prune() || (await files.prune()));
  await gallery.prune();
  await topups.autoTopups.checkAll();
}
