import { keepSecret, keptIn } from '../../config/secrets.ts';
import type { Context } from '../../context.ts';
import { ensureDaemon } from '../../daemon-control/start.ts';
import { stopDaemon } from '../../daemon-control/stop.ts';
import { askHidden } from '../hidden.ts';

const QUESTION = 'Token of the model hub (not shown; Enter for none): ';

/** Asks for the token without showing it, stores it as a secret, and restarts the daemon, which then reads it. */
export async function offerHubToken(context: Context): Promise<boolean> {
  const { io, output, signal } = context;
  const value = (await askHidden(QUESTION, io, signal)).trim();
  if (value === '') return false;
  output.note(keptIn('hub_token', await keepSecret(context, { name: 'hub_token', value })));
  output.note('Restarting the daemon, which reads the token at start…');
  await stopDaemon(context);
  await ensureDaemon(context);
  return true;
}
