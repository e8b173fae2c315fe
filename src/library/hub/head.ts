/** The head of an HTTP/1.1 response. */
export type Head = { statusCode: number; headers: Record<string, string> };

const HEAD_BYTES_MAX = 64 * 1024;
const END = Buffer.from('\r\n\r\n');
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/** Serializes a request. Neither URL nor token may inject a line. */
export function writeRequest(url: URL, headers: Record<string, string>): string {
  const lines = [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    ...Object.entries({ host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}`),
  ];
  // eslint-disable-next-line no-control-regex -- these are the characters to reject
  if (lines.some((line) => /[\0-\x08\x0a-\x1f\x7f]/.test(line)))
    throw new Error('a header of the request has a line break in it');
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Collects a response until its head is complete. */
export function createHeadReader() {
  let got: Buffer = Buffer.alloc(0);
  return {
    hasBegun: () => got.length > 0,

    /** The head; what follows it is pushed back. Undefined while incomplete, `unknown` if we cannot parse it. */
    read(piece: Buffer, unread: (rest: Buffer) => void): Head | 'unknown' | undefined {
      // A copy: the buffer is reused for the next chunk.
      got = Buffer.concat([got, piece]);
      for (;;) {
        const at = got.indexOf(END);
        if (at === -1) return got.length > HEAD_BYTES_MAX ? 'unknown' : undefined;
        const head = parse(got.toString('latin1', 0, at));
        if (head === undefined) return 'unknown';
        const rest = got.subarray(at + END.length);
        if (head.statusCode < 200) {
          got = rest;
          continue;
        }
        if (rest.length > 0) unread(rest);
        return head;
      }
    },
  };
}

function parse(text: string): Head | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1];
  if (status === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = FIELD.exec(line) ?? [];
    const key = name.toLowerCase();
    if (name === '' || (key === 'content-length' && key in headers)) return undefined;
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return { statusCode: Number(status), headers };
}

/** The content length; undefined for encodings that we do not support. */
export function lengthOf({ headers }: Head): number | undefined {
  const length = headers['content-length'];
  if (length === undefined || 'transfer-encoding' in headers || !/^\d{1,15}$/.test(length)) return undefined;
  return Number(length);
}

export function staysOpen({ headers }: Head): boolean {
  return !/\bclose\b/i.test(headers.connection ?? '');
}
