import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

export type ReceivedMail = { from: string; to: string[]; text: string };

/** A real SMTP server on this machine that keeps its mails, or one that accepts connections and never answers. */
export async function openMailServer({ silent = false } = {}) {
  const received: ReceivedMail[] = [];
  const sockets: Socket[] = [];
  let onConnection!: () => void;
  const connected = new Promise<void>((resolve) => (onConnection = resolve));
  const server = silent
    ? createServer((socket) => (sockets.push(socket), onConnection()))
    : receiver(received);
  const port = await listen(server);
  const cut = () => sockets.forEach((socket) => socket.destroy());
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        cut();
        server.close(() => resolve());
      }),
  );
  return { url: `smtp://127.0.0.1:${port}`, received, connected, cut };
}

function receiver(received: ReceivedMail[]): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (part: string) => (text += part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text,
        });
        done();
      });
    },
  });
}

function listen(server: SMTPServer | Server): Promise<number> {
  return new Promise((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const inner = server instanceof SMTPServer ? server.server : server;
      resolve((inner.address() as AddressInfo).port);
    });
    void listening;
  });
}
