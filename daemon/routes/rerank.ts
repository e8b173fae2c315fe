import {
  createRerank,
  type RerankEvent,
  type RerankRequest,
  type RerankResult,
} from '../../src/api/rerank.ts';
import type { TaskContext } from '../../src/inference/items.ts';
import type { Ranking, RerankInput } from '../../src/inference/rerank.ts';
import { createChannel } from '../../src/runtime/channel.ts';
import type { Services } from '../compose.ts';
import type { Mount } from '../mount.ts';
import { toContext } from '../served.ts';
import { DONE, orTimeout, sendEvents, toEvent } from '../sse.ts';

/** What clients of other services read off the number of documents: a hundred of them are one search. */
const DOCUMENTS_PER_SEARCH = 100;
/** Past this the headers of a stream go out; until then a failure is a plain HTTP error. */
const FIRST_EVENT_WAIT_MS = 10_000;

export function mountRerank(mount: Mount, services: Services): void {
  const { rerank, log } = services;
  mount(createRerank, async (call) => {
    const { body, requestId, reply } = call;
    const context = toContext(call, services);
    const input = toRerankInput(body);
    if (!body.stream) return toResult(await rerank.rerank(input, context), { body, input, context });
    // Scores come several at a time: what is said of them together is written together.
    const events = createChannel<string>((earlier, later) => earlier + later);
    const onScored = sayHundredths(input.documents.length, (event) => events.push(toEvent(event)));
    // The work does not wait for its reader: it ends when it is done, or when the client leaves.
    void rerank.rerank({ ...input, onScored }, context).then((ranking) => {
      events.push(toEvent(toResult(ranking, { body, input, context })));
      events.push(DONE);
      events.end();
    }, events.fail);
    const blocks = events.iterate();
    const first = blocks.next();
    await orTimeout(first, FIRST_EVENT_WAIT_MS);
    return sendEvents({
      reply,
      blocks: withFirst(first, blocks),
      onFailure: (failure) =>
        log.warn({ request_id: requestId, code: failure.code, cause: failure.cause }, 'stream failed'),
    });
  });
}

async function* withFirst<Block>(first: Promise<IteratorResult<Block>>, rest: AsyncGenerator<Block>) {
  const step = await first;
  if (!step.done) yield step.value;
  yield* rest;
}

function toRerankInput({ model, query, documents, top_n: topN }: RerankRequest): RerankInput {
  const texts = documents.map((document) => (typeof document === 'string' ? document : document.text));
  return { model, query, documents: texts, ...(topN !== undefined && { topN }) };
}

/** Says nothing until another hundredth is done, so that a thousand short documents are not a thousand events. */
function sayHundredths(total: number, say: (event: RerankEvent) => void): (scored: number) => void {
  let said = 0;
  return (scored) => {
    const hundredths = Math.floor((scored * 100) / total);
    if (hundredths > said) say({ progress: { scored, total } });
    said = hundredths;
  };
}

type Answered = { body: RerankRequest; input: RerankInput; context: TaskContext };

function toResult({ results, promptTokens }: Ranking, { body, input, context }: Answered): RerankResult {
  const { documents } = input;
  return {
    id: context.requestId.replace(/^req_/, 'rerank-'),
    model: body.model,
    results: results.map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(body.return_documents && { document: documents[index] ?? '' }),
    })),
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    meta: { billed_units: { search_units: Math.ceil(documents.length / DOCUMENTS_PER_SEARCH) } },
  };
}
