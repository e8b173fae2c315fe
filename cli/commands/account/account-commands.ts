import type { CommandEntry } from '../../command.ts';

/** The commands for accounts, in the order of the help. */
export const ACCOUNT_COMMANDS: readonly CommandEntry[] = [
  { name: 'account tier', load: async () => (await import('../keys/account-tier.ts')).accountTier },
  {
    name: 'account create',
    load: async () => (await import('./account-create.ts')).accountCreate,
  },
  {
    name: 'account list',
    aliases: ['ls'],
    load: async () => (await import('./account-list.ts')).accountList,
  },
  {
    name: 'account show',
    load: async () => (await import('./account-show.ts')).accountShow,
  },
  {
    name: 'account suspend',
    load: async () => (await import('./account-suspend.ts')).accountSuspend,
  },
  {
    name: 'account resume',
    load: async () => (await import('./account-resume.ts')).accountResume,
  },
  {
    name: 'account members',
    load: async () => (await import('./account-members.ts')).accountMembers,
  },
  {
    name: 'account add-member',
    load: async () => (await import('./account-add-member.ts')).accountAddMember,
  },
  {
    name: 'account role',
    load: async () => (await import('./account-role.ts')).accountRole,
  },
  {
    name: 'account remove-member',
    load: async () => (await import('./account-remove-member.ts')).accountRemoveMember,
  },
  {
    name: 'account login-link',
    load: async () => (await import('./account-login-link.ts')).accountLoginLink,
  },
];
