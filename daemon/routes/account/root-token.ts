import { rotateRootToken } from '../../../src/api/account/root-token.ts';
import type { Services } from '../../compose.ts';
import type { Mount } from '../../http/register-route.ts';

export function mountRootToken(mount: Mount, { rootToken, settings, log }: Services): void {
  mount(rotateRootToken, () => {
    rootToken.rotate();
    log.info('the root token was rotated');
    return { path: settings.paths.rootToken };
  });
}
