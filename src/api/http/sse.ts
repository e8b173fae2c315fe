export type ServerEvent = { data: string; id?: string };

/** Parses server-sent events from a byte stream, however it is chunked. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let data: string[] = [];
  let id: string | undefined;
  for await (const line of readLines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { data: data.join('\n'), ...(id !== undefined && { id }) };
      data = [];
      id = undefined;
    } else if (line.startsWith('data:')) data.push(valueOf(line));
    else if (line.startsWith('id:')) id = valueOf(line);
  }
}

export async function* readEventData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { data } of readEvents(chunks)) yield data;
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '');
}

const LINE_LENGTH_MAX = 16 * 1024 * 1024;

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LENGTH_MAX) throw new Error('The server sent an event that is too long');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
