import { Failure } from '../base/errors.ts';
import type { DrawEvent, DrawRequest } from '../runtime/engine.ts';
import { answerTo, brokeOff, readLines, toBreak, withFirst } from './answer.ts';
import { parseJson, readError, type Answer, type Send } from './send.ts';

/** Images of another server; partial images come only as a stream. */
export function createDraw(send: Send, model: string) {
  return async function* draw(request: DrawRequest, signal: AbortSignal): AsyncGenerator<DrawEvent> {
    const body = toBody(model, request);
    if (request.drafts === 0) {
      const answer = await answerTo(send, { path: '/images/generations', body, signal });
      if (answer === undefined) return;
      const [first] = (answer as Pictures).data ?? [];
      yield { type: 'picture', picture: await toPicture(first?.b64_json, request) };
      return;
    }
    try {
      const read = (answer: Answer) => withFirst(readEvents(answer));
      const streamed = { ...body, stream: true, partial_images: request.drafts };
      yield* toDrawEvents(await send('/images/generations', streamed, { signal, read }), request);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}

type Pictures = { data?: { b64_json?: string | null }[] };

type ImageEvent = {
  type?: string;
  step?: number;
  steps?: number;
  partial_image_index?: number;
  b64_json?: string;
};

function toBody(model: string, request: DrawRequest) {
  const { prompt, negativePrompt = '', width, height, steps, seed, format, quality } = request;
  return {
    ...{ model, prompt, n: 1, size: `${width}x${height}`, seed },
    ...{ response_format: 'b64_json', output_format: format },
    ...(quality !== undefined && { output_compression: quality }),
    ...(steps !== undefined && { steps }),
    ...(negativePrompt !== '' && { negative_prompt: negativePrompt }),
  };
}

async function* toDrawEvents(
  events: AsyncIterable<ImageEvent>,
  request: DrawRequest,
): AsyncGenerator<DrawEvent> {
  for await (const { type = '', step = 0, steps = 0, partial_image_index: index = 0, b64_json } of events) {
    if (type.endsWith('.progress')) yield { type: 'step', step, steps };
    if (type.endsWith('.partial_image'))
      yield { type: 'draft', index, picture: await toPicture(b64_json, request) };
    if (!type.endsWith('.completed')) continue;
    yield { type: 'picture', picture: await toPicture(b64_json, request) };
    return;
  }
  throw brokeOff();
}

async function* readEvents({ body, conceal, end }: Answer): AsyncGenerator<ImageEvent> {
  try {
    for await (const line of readLines(body)) {
      const data = /^data: ?(.*)$/.exec(line)?.[1];
      const event =
        data === undefined ? undefined : (parseJson(data) as (ImageEvent & { error?: unknown }) | undefined);
      if (data !== undefined && event?.error) throw brokeOff(readError(data, conceal).message);
      if (event) yield event;
    }
  } catch (cause) {
    throw toBreak(cause);
  } finally {
    end();
  }
}

const KINDS = { png: 'png', jpeg: 'jpg', webp: 'webp' } as const;

/** Servers may ignore fields: an image with another size or format is rejected. */
async function toPicture(
  base64: string | null | undefined,
  { width, height, format }: DrawRequest,
): Promise<Buffer> {
  if (!base64) throw new Failure('upstream_failed', 'The upstream server returned no image.');
  const picture = Buffer.from(base64, 'base64');
  const found = await measure(picture);
  if (found.type === KINDS[format] && found.width === width && found.height === height) return picture;
  const got = `${found.type ?? 'something unknown'} of ${found.width}x${found.height}`;
  throw new Failure(
    'upstream_failed',
    `The upstream server returned ${got} instead of ${format} of ${width}x${height}.`,
  );
}

async function measure(picture: Buffer): Promise<{ type?: string; width: number; height: number }> {
  const { imageSize } = await import('image-size');
  try {
    const { type, width, height } = imageSize(picture);
    return { ...(type !== undefined && { type }), width, height };
  } catch {
    return { width: 0, height: 0 };
  }
}
