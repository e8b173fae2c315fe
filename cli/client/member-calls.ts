import {
  addMember,
  createLoginLink,
  listMembers,
  removeMember,
  updateMember,
  type MemberRole,
  type NewMember,
} from '../../src/api/account/members.ts';
import type { Http } from '../../src/api/http/http.ts';

/** The people of an account. */
export function memberCalls({ call }: Http) {
  return {
    list: () => call(listMembers),
    add: (body: NewMember) => call(addMember, { body }),
    changeRole: (name: string, role: MemberRole) => call(updateMember, { params: { name }, body: { role } }),
    remove: (name: string) => call(removeMember, { params: { name } }),
    loginLink: (name: string) => call(createLoginLink, { params: { name } }),
  };
}
