import type { MemberRole, WhoAmI } from '../../../../src/api/account/members.ts';
import { call } from './api.ts';

let person: WhoAmI | undefined;

/** Asked before anything is shown. Without an answer the page is as for the machine's owner, and shows what is wrong. */
export async function findPerson(): Promise<void> {
  person = await call<WhoAmI>('GET', '/api/sessions/current').catch(() => undefined);
}

/** Who is signed in by a login link of their own; undefined for the machine's owner. */
export function member(): (WhoAmI & { member: string }) | undefined {
  return person?.member == null ? undefined : { ...person, member: person.member };
}

/** Whether models, settings and the log are theirs too. */
export const ownsMachine = (): boolean =>
  person === undefined || (person.account === 'default' && person.role === 'owner');

export const role = (): MemberRole => person?.role ?? 'owner';

/** Who else belongs to the account matters once there is somebody else. */
export const hasMembers = (): boolean => role() === 'owner' && (member() !== undefined || !ownsMachine());
