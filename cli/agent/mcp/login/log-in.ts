import { anySignal } from '../../../../src/base/any-signal.ts';
import { Failure, toFailure } from '../../../../src/base/errors.ts';
import type { InspectedMcpServer } from '../../../../src/api/management/mcp-servers.ts';
import type { Client } from '../../../client/client.ts';
import type { Context } from '../../../context.ts';
import { openReceiver, type Receiver, type Returned } from './receiver.ts';

const WAIT_MS = 5 * 60_000;

export type LoginOptions = {
  open?: boolean;
  port?: number;
  waitMs?: number;
  clientId?: string;
  clientSecret?: string;
  scope?: string;
};

/** Sends the owner's browser to the authorization server, and passes the answer back to the daemon. */
export async function logIn(
  context: Context,
  client: Client,
  name: string,
  { open, port, waitMs = WAIT_MS, clientId, clientSecret, scope }: LoginOptions,
): Promise<InspectedMcpServer> {
  const { output, environment } = context;
  const receiver = await openReceiver({ port });
  try {
    const { authorization_url: url } = await client.mcp.beginLogin(name, {
      redirect_uri: receiver.address,
      ...(clientId !== undefined && { client_id: clientId }),
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      ...(scope !== undefined && { scope }),
    });
    output.talk(`To log in, open this address in a browser:\n${url}`);
    // Before the browser opens: a browser that is already logged in returns at once.
    const returning = waitFor(receiver, { name, url, waitMs }, context);
    returning.catch(() => undefined);
    if (open !== false && !output.json && environment.hasScreen) {
      const { openInBrowser } = await import('../../../prompt/browser.ts');
      if (await openInBrowser(url, environment)) output.note('Opening it in your browser.');
    }
    const { query, show } = await returning;
    try {
      const server = await client.mcp.finishLogin(name, answerOf(query));
      show(`You are logged in: askd can use the tools of ${name} now. You can close this page.`);
      return server;
    } catch (error) {
      show(`The login failed: ${toFailure(error).message} You can close this page.`);
      throw error;
    }
  } finally {
    await receiver.close();
  }
}

type Waiting = { name: string; url: string; waitMs: number };

/** Whichever comes first: the browser itself, or its address pasted on a terminal. */
async function waitFor(
  receiver: Receiver,
  { name, url, waitMs }: Waiting,
  { io, output, signal }: Context,
): Promise<Returned> {
  const ending = new AbortController();
  const timer = setTimeout(() => {
    const message = `The browser did not return from the login to "${name}" within ${Math.round(waitMs / 1000)} s.`;
    ending.abort(new Failure('mcp_login_needed', message, { details: { fix: `askd mcp login ${name}` } }));
  }, waitMs);
  const state = new URL(url).searchParams.get('state') ?? '';
  const either = anySignal(signal, ending.signal);
  const ways = [receiver.answer(state, either)];
  if (io.stdin.isTTY) {
    output.note('If the browser is on another machine, paste the address where it ends up here.');
    const { pastedAnswer } = await import('./pasted.ts');
    ways.push(pastedAnswer(state, io, either).then((query) => ({ query, show: () => undefined })));
  }
  try {
    return await Promise.race(ways);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

function answerOf(query: URLSearchParams) {
  const given = ['code', 'iss', 'error'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  return { state: query.get('state') ?? '', ...Object.fromEntries(given) };
}
