import type { MemberRole, WhoAmI } from '../../../../src/api/account/members.ts';
import { call } from './api.ts';

let person: WhoAmI | undefined;

/** Requested before anything is shown. Without an answer, the page is the machine owner's, and shows what is wrong. */
export async function findPerson(): Promise<void> {
  person = await call<WhoAmI>('GET', '/api/sessions/current').catch(() => undefined);
}

/** The person who signed in with their own login link; undefined for the machine's owner. */
export function member(): (WhoAmI & { member: string }) | undefined {
  return person?.member == null ? undefined : { ...person, member: person.member };
}

/** Whether models, settings and the log are theirs too. */
export const ownsMachine = (): boolean =>
  person === undefined || (person.account === 'default' && person.role === 'owner');

export const role = (): MemberRole => person?.role ?? 'owner';

/** Other members of the account matter once there are any. */
export const hasMembers = (): boolean => role() === 'owner' && (member() !== undefined || !ownsMachine());
