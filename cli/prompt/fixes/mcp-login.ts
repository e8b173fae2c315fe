import { logIn } from '../../agent/mcp/login/log-in.ts';
import type { Context } from '../../context.ts';
import { agree } from '../confirm.ts';

export async function offerLogin(context: Context, name: string): Promise<boolean> {
  const { io, output, signal } = context;
  if (!(await agree('Log in now, in a browser?', io, signal))) return false;
  await logIn(context, await context.connect(), name, {});
  output.note(`You are logged in at ${name}.`);
  return true;
}
