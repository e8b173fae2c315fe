import type { FastifyInstance } from 'fastify';

/** curl's default content type for a body is a form, and Ollama's own examples keep it. */
const TAKEN_FOR_JSON = ['application/x-www-form-urlencoded', 'text/plain'];

/** Parses such bodies as JSON. If a page of another site sends one, it has an Origin and was already rejected. */
export function readLooseBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(TAKEN_FOR_JSON, { parseAs: 'string' }, (request, body, done) => {
    void parse(request, body as string, done);
  });
  // The bytes of a model, for a route that rejects them.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => {
    payload.resume().on('end', () => done(null, undefined));
  });
}
