import type { FastifyInstance } from 'fastify';
import type { Services } from '../../compose.ts';
import { createRegisterRoute, type Gates } from '../../http/register-route.ts';
import { registerOllama } from '../../routes/ollama/ollama.ts';
import { registerOllamaModels } from '../../routes/ollama/ollama-models.ts';
import { readLooseBodies } from './bodies.ts';
import { createOllamaAuthenticator } from './access.ts';

/** Registers Ollama's API, which has its own authentication and body parsing. */
export function openOllamaApi(app: FastifyInstance, gates: Gates, services: Services): void {
  void app.register((scope, _options, done) => {
    readLooseBodies(scope);
    const register = createRegisterRoute(scope, {
      ...gates,
      authenticator: createOllamaAuthenticator({ ...services, authenticator: gates.authenticator }),
    });
    registerOllama(register, services);
    registerOllamaModels(register, services);
    done();
  });
}
