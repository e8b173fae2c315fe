import type { FastifyInstance } from 'fastify';
import type { Services } from '../../compose.ts';
import { createMount, type Gates } from '../../http/register-route.ts';
import { mountOllama } from '../../routes/ollama/ollama.ts';
import { mountOllamaModels } from '../../routes/ollama/ollama-models.ts';
import { readLooseBodies } from './bodies.ts';
import { createOllamaDoor } from './access.ts';

/** Puts Ollama's API on the server: who may come in, and what a body may look like, is another thing there. */
export function openOllamaDoor(app: FastifyInstance, gates: Gates, services: Services): void {
  void app.register((scope, _options, done) => {
    readLooseBodies(scope);
    const mount = createMount(scope, { ...gates, door: createOllamaDoor({ ...services, door: gates.door }) });
    mountOllama(mount, services);
    mountOllamaModels(mount, services);
    done();
  });
}
