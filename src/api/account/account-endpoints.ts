import type { Endpoint } from '../endpoint.ts';
import { createAccount, getAccount, listAccounts, resumeAccount, suspendAccount } from './accounts.ts';
import {
  addMember,
  createLoginLink,
  getCurrentSession,
  listMembers,
  removeMember,
  updateMember,
} from './members.ts';

/** The endpoints for the accounts of a daemon. */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  listAccounts,
  createAccount,
  getAccount,
  suspendAccount,
  resumeAccount,
  listMembers,
  addMember,
  updateMember,
  removeMember,
  createLoginLink,
  getCurrentSession,
];
