import type { SendMail } from './mails.ts';

const TIMEOUT_MS = 20_000;

/** Sends through the configured mail server, with a new connection for each email. */
export function createSmtp({ url, from }: { url: string; from: string }): SendMail {
  return async ({ to, subject, body }) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // As an object, an address is always one address, never a list or a header line.
    await transport
      .sendMail({ from, to: { name: '', address: to }, subject, text: body })
      .catch((error: unknown) => Promise.reject(withoutPassword(error, url)));
  };
}

/** A server may quote the password in the message or in other fields; only the redacted message is kept. */
function withoutPassword(error: unknown, url: string): Error {
  const password = decodeURIComponent(new URL(url).password);
  const { message } = error as Error;
  return new Error(password === '' ? message : message.replaceAll(password, '[redacted]'));
}
