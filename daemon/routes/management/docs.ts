import {
  addDocs,
  listDocs,
  removeDocs,
  searchDocs,
  uploadDocs,
  type Collection,
  type DocsEvent,
} from '../../../src/api/management/docs.ts';
import type { Docs } from '../../../src/agent/tools/docs.ts';
import { toIso } from '../../../src/base/clock.ts';
import type { Services } from '../../compose.ts';
import type { Call, RegisterRoute } from '../../http/register-route.ts';
import { sendEvents, toEvent } from '../../http/sse.ts';

const HITS = 8;

/** Local documents, which the agent can search without a network. */
export function registerDocs(register: RegisterRoute, { docs, log, stopping }: Services): void {
  const contextOf = ({
    requestId,
    principal,
    client,
  }: Pick<Call<typeof addDocs>, 'requestId' | 'principal' | 'client'>) => {
    const { accountId, keyId } = principal;
    return { requestId, accountId, keyId, client, daemon: stopping.signal };
  };
  const stream = async (
    call: Pick<Call<typeof addDocs>, 'reply' | 'requestId'>,
    collection: string,
    events: AsyncGenerator<DocsEvent>,
  ) => {
    // The first event is sent once the files are found: until then, an error is a plain response.
    const first = await events.next();
    return sendEvents({
      reply: call.reply,
      blocks: toBlocks(docs, collection, first.done ? [] : [first.value], events),
      onFailure: ({ code, cause }) =>
        log.warn({ request_id: call.requestId, code, cause }, 'indexing documents failed'),
    });
  };
  register(addDocs, (call) => {
    const { path, collection } = call.body;
    return stream(call, collection, docs.add({ path, name: collection }, contextOf(call)));
  });
  register(uploadDocs, (call) => {
    const { collection } = call.body;
    const files = call.body.files.map(({ name, content }) => ({
      name,
      bytes: Buffer.from(content, 'base64'),
    }));
    return stream(call, collection, docs.addFiles({ files, name: collection }, contextOf(call)));
  });
  register(listDocs, () => ({ data: docs.list().map(toCollection) }));
  register(removeDocs, async ({ params }) => {
    await docs.remove(params['name'] ?? '');
    return { name: params['name'] ?? '', deleted: true as const };
  });
  register(searchDocs, async (call) => {
    const { query, collections, limit = HITS } = call.body;
    const hits = await docs.search({ query, limit, ...(collections && { collections }) }, contextOf(call));
    return {
      data: hits.map(({ path, title, heading, page, text }) => ({ path, title, heading, page, text })),
    };
  });
}

async function* toBlocks(
  docs: Docs,
  name: string,
  first: readonly DocsEvent[],
  rest: AsyncIterable<DocsEvent>,
): AsyncGenerator<string> {
  for (const event of first) yield toEvent(event);
  for await (const event of rest) yield toEvent(event);
  yield toEvent({ type: 'done', collection: toCollection(docs.find(name)) });
}

function toCollection({
  name,
  documents,
  passages,
  bytes,
  embedder,
  updatedAt,
}: ReturnType<Docs['find']>): Collection {
  return { name, documents, passages, bytes, embedder, updated_at: toIso(updatedAt) };
}
