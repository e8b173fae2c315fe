import type { Settings } from '../../../src/config/config.ts';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import type { Call } from '../../http/register-route.ts';
import { hasNoEffect } from './apply-policy.ts';

/** Reports what a translation drops from a request, with its path; rejects it in strict mode. */
export type LeaveOut = (name: string, param: string) => void;

export function leaveOutOf(
  { ignored }: Pick<Call<Endpoint>, 'ignored'>,
  { strictParameters }: Pick<Settings, 'strictParameters'>,
): LeaveOut {
  return (name, param) => {
    if (strictParameters) throw hasNoEffect(param);
    ignored.add(name);
  };
}
