import type { FastifyReply, FastifyRequest } from 'fastify';
import { createImage, getImage, type ImageRequest } from '../../../src/api/tasks/images.ts';
import type { Drawn, DrawProgress } from '../../../src/inference/draw.ts';
import {
  checkImageRequest,
  toDrawInput,
  toEventOf,
  toResult,
  urlOf,
  type Answering,
} from '../../apis/images/images.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { leaveOutOf } from '../../apis/parameters/leave-out.ts';
import { toContext } from '../../http/served.ts';
import { DONE, orTimeout, sendEvents } from '../../http/sse.ts';

/** After this time the headers of a stream are sent; until then, a failure is a plain HTTP error. */
const FIRST_EVENT_WAIT_MS = 10_000;

export function registerImages(register: RegisterRoute, services: Services): void {
  const { draw, gallery, clock, log } = services;

  register(createImage, async (call) => {
    const { body, requestId, request, reply } = call;
    checkImageRequest(body, leaveOutOf(call, services.settings));
    const progress = draw.draw(toDrawInput(body), toContext(call, services));
    const answering = answeringOf(body, { services, request });
    if (!body.stream) return toResult(await lastOf(progress), answering);
    const first = progress.next();
    await orTimeout(first, FIRST_EVENT_WAIT_MS);
    return sendEvents({
      reply,
      blocks: toBlocks(startingWith(first, progress), answering),
      onFailure: (failure) =>
        log.warn({ request_id: requestId, code: failure.code, cause: failure.cause }, 'stream failed'),
    });
  });

  register(getImage, async ({ params, query, reply }) => {
    const kept = await gallery.open({ name: params['name'] ?? '', ...query });
    const secondsLeft = Math.max(0, kept.expires - Math.floor(clock.now() / 1000));
    return sendPicture(reply, { ...kept, secondsLeft });
  });
}

function answeringOf(
  body: ImageRequest,
  { services, request }: { services: Services; request: FastifyRequest },
): Answering {
  const { gallery, clock } = services;
  return {
    body,
    created: Math.floor(clock.now() / 1000),
    async publish(picture) {
      const address = await gallery.keep(picture, body.output_format ?? 'png');
      return { url: urlOf(address, `${request.protocol}://${request.host}`), expires_at: address.expires };
    },
  };
}

async function lastOf(progress: AsyncIterable<DrawProgress>): Promise<Drawn> {
  for await (const event of progress) if (event.type === 'picture') return event;
  throw new Error('The generator returned neither an image nor an error');
}

async function* startingWith(
  first: Promise<IteratorResult<DrawProgress>>,
  rest: AsyncGenerator<DrawProgress>,
): AsyncGenerator<DrawProgress> {
  try {
    const step = await first;
    if (step.done) return;
    yield step.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

async function* toBlocks(
  progress: AsyncIterable<DrawProgress>,
  answering: Answering,
): AsyncGenerator<string> {
  for await (const each of progress) {
    const event = await toEventOf(each, answering);
    yield `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  }
  yield DONE;
}

type Sent = { type: string; bytes: number; content: NodeJS.ReadableStream; secondsLeft: number };

/** Served only ever as an image, whatever page embeds it, and cached no longer than its URL is valid. */
function sendPicture(reply: FastifyReply, { type, bytes, content, secondsLeft }: Sent) {
  return reply
    .headers({
      'content-type': type,
      'content-length': bytes,
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': `private, max-age=${secondsLeft}, immutable`,
    })
    .send(content);
}
