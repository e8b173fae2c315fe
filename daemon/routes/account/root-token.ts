import { rotateRootToken } from '../../../src/api/account/root-token.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerRootToken(register: RegisterRoute, { rootToken, settings, log }: Services): void {
  register(rotateRootToken, () => {
    rootToken.rotate();
    log.info('the root token was rotated');
    return { path: settings.paths.rootToken };
  });
}
