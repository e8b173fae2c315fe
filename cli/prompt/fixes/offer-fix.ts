import { Failure, type FailureCode } from '../../../src/base/errors.ts';
import { isElsewhere } from '../../client/own-daemon.ts';
import { createContext, type Context } from '../../context.ts';
import { reportFailure } from '../../output/failure-report.ts';
import { createOutput } from '../../output/output.ts';
import { offerCredits } from './credits.ts';
import { offerPort, offerRestart, offerStart } from './daemon.ts';
import { offerHubToken } from './hub-token.ts';
import { offerLogin } from './mcp-login.ts';
import { offerEngine, offerModel } from './models.ts';

type Fix = {
  code: FailureCode;
  /** The fix that the failure names. */
  names: RegExp;
  /** Asks, and carries it out. Resolves to whether the user wanted it. */
  offer: (context: Context, argument: string) => Promise<boolean>;
};

/** The fixes that can be carried out on the spot. */
const FIXES: readonly Fix[] = [
  { code: 'model_not_installed', names: /^askd pull (\S+)$/, offer: offerModel },
  { code: 'engine_not_installed', names: /^askd engines install (\S+)$/, offer: offerEngine },
  { code: 'insufficient_credits', names: /^askd wallet topup (\d+)$/, offer: offerCredits },
  { code: 'mcp_login_needed', names: /^askd mcp login (\S+)$/, offer: offerLogin },
  { code: 'hub_access_denied', names: /^askd secrets set hub_token\b/, offer: offerHubToken },
  { code: 'daemon_unreachable', names: /^askd up$/, offer: offerStart },
  { code: 'daemon_unreachable', names: /^askd restart$/, offer: offerRestart },
  { code: 'daemon_unreachable', names: /^ASKD_PORT=(\d+) askd up$/, offer: offerPort },
];

/**
 * After a failed command on a terminal, offers what fixes the failure, then runs the command again. The fix or the
 * command may lack something else. Otherwise the failure is reported as it was. A command never offers itself.
 */
export async function fixAndRetry<Result>(
  failure: unknown,
  { name, run }: { name: string; run: () => Promise<Result> },
  context: Context,
): Promise<Result> {
  const offered = new Set<string>();
  let last = failure;
  for (;;) {
    const fix = last instanceof Failure ? String(last.details['fix']) : '';
    if (fix.startsWith(`askd ${name}`) || offered.has(fix)) throw last;
    offered.add(fix);
    try {
      if (!(await offerFix(last, context))) break;
      return await run();
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/** Resolves to whether the failure had a fix that was wanted and carried out. */
export async function offerFix(failure: unknown, context: Context): Promise<boolean> {
  if (!(failure instanceof Failure) || !mayAsk(context)) return false;
  for (const { code, names, offer } of FIXES) {
    const match = code === failure.code && names.exec(String(failure.details['fix']));
    if (match === null || match === false) continue;
    const [what = ''] = reportFailure(failure, { verbose: false }).lines;
    context.output.talk(what.replace(/^error: /, ''));
    return offer(talking(context), match[1] ?? '');
  }
  return false;
}

/** Whatever another server lacks is for its owner to fix. */
function mayAsk(context: Context): boolean {
  const { environment, io, options } = context;
  const isAttended = !options.json && !environment.isCi && io.stdin.isTTY && io.stderr.isTTY;
  return Boolean(isAttended) && !isElsewhere(context);
}

/** stdout is reserved for the result of the command that failed. */
function talking(context: Context): Context {
  const { environment, options } = context;
  const io = { ...context.io, stdout: context.io.stderr };
  const color = options.color && !environment.noColor;
  return createContext({ ...context, io, output: createOutput(io, { ...options, color }) });
}
