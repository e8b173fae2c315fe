import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import type { MemberRole } from '../../../../../src/api/account/members.ts';
import { call } from '../../data/api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';

export const ROLES: readonly [MemberRole, string][] = [
  ['member', 'the playground and keys of their own'],
  ['billing', 'the wallet and usage, no content'],
  ['owner', 'everything in the account'],
];

export function MemberForm({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const adding = useMutation({
    mutationFn: (form: FormData) => call('POST', '/api/account/members', read(form)),
    onSuccess: onDone,
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    adding.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog title="Add a member" onClose={onClose}>
      <form onSubmit={submit}>
        <label className="field">
          <span className="label">Name</span>
          <input
            name="name"
            required
            maxLength={64}
            pattern="[a-z0-9][a-z0-9._\-]*"
            title="Lower-case letters, digits, dots, dashes and underscores."
          />
        </label>
        <label className="field">
          <span className="label">Email (optional)</span>
          <input name="email" type="email" maxLength={254} />
        </label>
        <fieldset>
          <legend>Role</legend>
          {ROLES.map(([role, meaning], index) => (
            <label key={role}>
              <input type="radio" name="role" value={role} defaultChecked={index === 0} />
              <span>
                {role} <span className="quiet">– {meaning}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Problem error={adding.error} />
        <div className="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={adding.isPending}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function read(form: FormData) {
  const email = form.get('email');
  return { name: form.get('name'), role: form.get('role'), ...(email !== '' && { email }) };
}
