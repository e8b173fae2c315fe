/** What somebody may do in an account. */
export type Role = 'owner' | 'member' | 'billing';
