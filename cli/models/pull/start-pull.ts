import type { PullAnswer, PullRequest } from '../../../src/api/management/library.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';

/** Asks for the licence on a terminal; elsewhere the flag must have accepted it. */
export async function startPull(client: Client, request: PullRequest, context: Context): Promise<PullAnswer> {
  try {
    return await client.startPull(request);
  } catch (error) {
    const { io, signal } = context;
    if (!(error instanceof Failure) || error.code !== 'licence_not_accepted' || !io.stdin.isTTY) throw error;
    const { confirm } = await import('../../prompt/confirm.ts');
    const question = `${error.message.replace(/ To accept it, .*$/, '')}\nDo you accept it?`;
    if (!(await confirm(question, io, signal))) throw error;
    return client.startPull({ ...request, accept_licence: true });
  }
}
