import { once } from 'node:events';
import type { Context } from '../../context.ts';

/** stdout carries only the protocol; all messages go to stderr. */
export async function serveStandardStreams({ io, signal, connect, output }: Context): Promise<void> {
  const [{ serveStdio, StdioServerTransport }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../../src/api/mcp/server.ts'),
  ]);
  const ended = Promise.race([once(io.stdin, 'end'), once(io.stdin, 'close')]);
  const aborted = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  const handle = serveStdio(
    () =>
      createMcpServer({
        // Created for each call: the daemon may have been restarted since the last one.
        connect: async () => (await connect('inference')).http,
        mayUse: () => true,
        onBug: ({ cause }) => output.talk(String(cause)),
      }),
    { transport: new StdioServerTransport(io.stdin, io.stdout) },
  );
  await Promise.race([ended, aborted]);
  await handle.close();
}
