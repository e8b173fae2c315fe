import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { exchange } from '../../api/http/node-fetch.ts';

const WITHOUT_BODY = [204, 205, 304];

/** A fetch without a browser's headers: askd takes those of Node's own for a web page, which gets no root token. */
export const localFetch: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const body = Buffer.from(await request.arrayBuffer());
  const { url, method, signal } = request;
  const headers = Object.fromEntries(request.headers);
  const response = await exchange(url, { method, headers, body, signal });
  const { statusCode: status = 0, headersDistinct } = response;
  const isEmpty = WITHOUT_BODY.includes(status);
  const content = isEmpty ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array<ArrayBuffer>>);
  return new Response(content, { status, headers: pairsOf(headersDistinct) });
};

function pairsOf(headers: NodeJS.Dict<string[]>): [string, string][] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    values.map((value) => [name, value] as [string, string]),
  );
}
