import type { FastifyReply } from 'fastify';

type Sent = { content: NodeJS.ReadableStream; bytes: number; name?: string };

/** To be saved, and never shown by a browser, whatever it contains. */
export function sendFile(reply: FastifyReply, { content, bytes, name }: Sent): string {
  return reply
    .headers({
      'content-type': 'application/octet-stream',
      'content-length': bytes,
      'content-disposition': name === undefined ? 'attachment' : `attachment; filename="${name}"`,
      'content-security-policy': "default-src 'none'; sandbox",
    })
    .send(content) as unknown as string;
}
