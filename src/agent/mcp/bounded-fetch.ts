/** The stream that a server opens for its own messages is long-lived, so it may be larger than an answer. */
const STREAM_TIMES = 16;

/** A fetch whose responses fail when they are too long, so that a server cannot fill the memory. */
export function boundedFetch(bytesMax: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const most = init?.method === 'POST' ? bytesMax : bytesMax * STREAM_TIMES;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded(most)), { status, statusText, headers });
  };
}

function bounded(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > most) controller.error(new Error(`its answer is larger than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
