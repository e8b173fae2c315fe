import type { FastifyInstance } from 'fastify';

/** curl says that a body is a form where nobody says otherwise, and Ollama's own examples do not. */
const TAKEN_FOR_JSON = ['application/x-www-form-urlencoded', 'text/plain'];

/** Reads as JSON what comes without saying so. A page of another site that does it has an Origin and was refused. */
export function readLooseBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(TAKEN_FOR_JSON, { parseAs: 'string' }, (request, body, done) => {
    void parse(request, body as string, done);
  });
  // The bytes of a model, for a route that refuses them.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => {
    payload.resume().on('end', () => done(null, undefined));
  });
}
