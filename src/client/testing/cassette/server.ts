import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure, toFailure } from '../../../base/errors.ts';
import { errorBodyFor } from './error-body.ts';
import type { Cassette } from './exchange.ts';
import { forward, type Upstream } from './forward.ts';
import { createMatcher } from './match.ts';
import { BYTES_MAX, describeRequest, readBody } from './read-request.ts';
import { createRecording } from './recording.ts';
import { createRedactor, secretsOf } from './redact.ts';
import { replay, type Speed } from './replay.ts';

export type CassetteOptions = {
  file: string;
  cassette: Cassette;
  /** Keys of equal requests in an earlier recording, whose order is kept. */
  places?: readonly string[];
  /** Where requests that are not in the cassette are sent and recorded; without it, such a request is an error. */
  upstream?: Upstream;
  speed?: Speed;
  strict?: boolean;
  port?: number;
  bytesMax?: number;
  onChange?: (cassette: Cassette) => void;
};

export type CassetteServer = Awaited<ReturnType<typeof openCassetteServer>>;

/** A local server that answers from a cassette, and records what is not in it if it has an upstream. */
export async function openCassetteServer(options: CassetteOptions) {
  const {
    cassette,
    file,
    upstream,
    speed = 'full',
    strict = false,
    port = 0,
    bytesMax = BYTES_MAX,
  } = options;
  const matcher = createMatcher(cassette, { strict });
  const recording = createRecording(cassette, options.places);
  const counts = { replayed: 0, recorded: 0, unmatched: 0 };
  const leftOut: string[] = [];
  const running = new Set<Promise<void>>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, bytesMax);
    const redactor = createRedactor([...secretsOf(request.headers), upstream?.key?.to ?? '']);
    const asked = describeRequest(request, body, redactor);
    const found = matcher.find(asked) ?? matcher.find(describeRequest(request, body, createRedactor()));
    if (found) {
      counts.replayed += 1;
      return replay(found.response, response, speed);
    }
    if (!upstream) {
      counts.unmatched += 1;
      throw matcher.noMatch(asked, file);
    }
    const finish = recording.begin(asked);
    const captured = await forward(upstream, { sent: request, body, response, bytesMax });
    finish(captured, redactor);
    counts.recorded += 1;
    options.onChange?.(recording.current());
  }

  const server = createServer((request, response) => {
    const done = answer(request, response).catch((error: unknown) => {
      const failure = toFailure(error);
      if (failure.code !== 'cassette_no_match')
        leftOut.push(`${request.method} ${request.url}: ${failure.message}`);
      refuse(request, response, failure);
    });
    running.add(done);
    void done.finally(() => running.delete(done));
  });
  // An answer may take as long as its model does.
  server.requestTimeout = 0;
  await listen(server, port);
  const rootUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const baseUrl = `${rootUrl}/v1`;

  return {
    rootUrl,
    baseUrl,
    /** Under the names that the OpenAI and Anthropic packages, and the commands of askd, read. */
    variables: { OPENAI_BASE_URL: baseUrl, ANTHROPIC_BASE_URL: rootUrl, ASKD_BASE_URL: baseUrl },
    counts,
    leftOut,
    unref: () => void server.unref(),
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await Promise.all(running);
    },
  };
}

function refuse(request: IncomingMessage, response: ServerResponse, failure: Failure): void {
  // An answer that was not recorded may still be on its way.
  if (response.writableEnded) return;
  if (response.headersSent) return void response.destroy();
  const { status, retry } = failure.kind;
  const body = JSON.stringify(errorBodyFor(request, failure));
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retry !== undefined && { 'x-should-retry': String(retry) }),
  });
  response.end(body);
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Failure('address_in_use', `Port ${port} cannot be used: ${cause.message}`, { cause })),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
}
