import { fillPath, toQuery, type Query } from './address.ts';
import { readEvents } from './events.ts';
import type { Opened, Request, RequestOptions, Send } from './send.ts';

export type Method = (...values: unknown[]) => unknown;
type Routes = Record<string, Record<string, string>>;

/** One method per route: its arguments are the names in the path, then the query or body, then options. */
export function createMethods(routes: Routes, send: Send): Record<string, Record<string, Method>> {
  return mapValues(routes, (group) => mapValues(group, (route) => createMethod(route, send)));
}

function createMethod(route: string, send: Send): Method {
  const [method = '', path = '', ...marks] = route.split(' ');
  const names = path.match(/\{\w+\*?\}/g)?.length ?? 0;
  const has = (...wanted: string[]) => wanted.some((mark) => marks.includes(mark));
  const takes = has('query', 'body', 'form');
  const accept = has('stream', 'events')
    ? 'text/event-stream'
    : has('bytes', 'text')
      ? '*/*'
      : 'application/json';

  return (...values) => {
    const input = takes ? values[names] : undefined;
    const options = values[names + Number(takes)] as RequestOptions | undefined;
    const query = has('query') ? toQuery(input as Query | undefined) : '';
    const body = has('stream') ? { ...(input as object), stream: true } : (input ?? {});
    const request = {
      method,
      path: fillPath(path, (_, index) => values[index]) + query,
      accept,
      ...(has('body', 'form') && { body }),
    };
    if (has('stream', 'events')) return streamOf(send, request, options);
    return send(request, options, has('bytes') ? whole : has('text') ? readText : readJson);
  };
}

/** Nothing is sent before the first event is requested. */
async function* streamOf(send: Send, request: Request, options?: RequestOptions): AsyncGenerator<unknown> {
  yield* readEvents(await send(request, options, (opened) => opened));
}

function whole({ response }: Opened): unknown {
  return response;
}

async function readText({ response, release }: Opened): Promise<string> {
  const text = await response.text();
  release();
  return text;
}

/** Transcripts can also be subtitles. */
async function readJson(opened: Opened): Promise<unknown> {
  const text = await readText(opened);
  const isJson = opened.response.headers.get('content-type')?.startsWith('application/json');
  return isJson ? (JSON.parse(text) as unknown) : text;
}

function mapValues<Value, Result>(object: Record<string, Value>, to: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, to(value)]));
}
