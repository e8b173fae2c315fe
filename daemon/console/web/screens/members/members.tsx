import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberRecord, MemberRole } from '../../../../../src/api/account/members.ts';
import { call } from '../../data/api.ts';
import { moment } from '../../data/format.ts';
import { member as signedIn } from '../../data/person.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Problem } from '../../parts/problem.tsx';
import { LoginLink, type NewLink } from './login-link.tsx';
import { MemberForm, ROLES } from './member-form.tsx';

type Task = { name: 'add' } | { name: 'remove'; member: MemberRecord };

export const memberPath = (name: string) => `/api/account/members/${encodeURIComponent(name)}`;

/** The people of the account, for its owners. */
export function Members() {
  const [task, setTask] = useState<Task>();
  const [link, setLink] = useState<NewLink>();
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['members'],
    queryFn: () => call<{ members: MemberRecord[] }>('GET', '/api/account/members'),
  });
  const reload = () => queries.invalidateQueries({ queryKey: ['members'] });
  const close = () => setTask(undefined);
  const linking = useMutation({
    mutationFn: ({ name }: MemberRecord) =>
      call<{ login_url: string }>('POST', `${memberPath(name)}/login-link`, {}).then(({ login_url: url }) =>
        setLink({ name, url }),
      ),
  });
  return (
    <>
      <div className="row apart">
        <h1>Members</h1>
        <button type="button" className="primary" onClick={() => setTask({ name: 'add' })}>
          Add a member
        </button>
      </div>
      <Problem error={error ?? linking.error} />
      {data && (
        <MemberTable
          members={data.members}
          onLink={(each) => linking.mutate(each)}
          onRemove={(each) => setTask({ name: 'remove', member: each })}
        />
      )}
      {task?.name === 'add' && (
        <MemberForm
          onDone={() => {
            close();
            void reload();
          }}
          onClose={close}
        />
      )}
      {task?.name === 'remove' && (
        <Confirm
          title={`Remove ${task.member.name}`}
          action="Remove"
          onClose={close}
          run={async () => {
            await call('DELETE', memberPath(task.member.name));
            await reload();
          }}
        >
          Their sessions end, and their keys are revoked. This cannot be undone.
        </Confirm>
      )}
      {link && <LoginLink link={link} onClose={() => setLink(undefined)} />}
    </>
  );
}

type TableProps = {
  members: readonly MemberRecord[];
  onLink: (member: MemberRecord) => void;
  onRemove: (member: MemberRecord) => void;
};

function MemberTable({ members, ...actions }: TableProps) {
  return (
    <section className="card scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Role</th>
            <th>Email</th>
            <th>Added</th>
            <th>
              <span className="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.id} member={member} {...actions} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function MemberRow({ member, onLink, onRemove }: { member: MemberRecord } & Omit<TableProps, 'members'>) {
  const { name } = member;
  return (
    <tr>
      <td>
        {name} {name === signedIn()?.member && <span className="badge good">you</span>}
      </td>
      <td>
        <RoleChoice member={member} />
      </td>
      <td>{member.email}</td>
      <td>{moment(member.created_at)}</td>
      <td>
        <div className="row end">
          <button type="button" aria-label={`Login link for ${name}`} onClick={() => onLink(member)}>
            Login link
          </button>
          <button
            type="button"
            className="danger"
            aria-label={`Remove ${name}`}
            onClick={() => onRemove(member)}
          >
            Remove
          </button>
        </div>
      </td>
    </tr>
  );
}

function RoleChoice({ member: { name, role } }: { member: MemberRecord }) {
  const queries = useQueryClient();
  const changing = useMutation({
    mutationFn: (wanted: MemberRole) => call('PATCH', memberPath(name), { role: wanted }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['members'] }),
  });
  return (
    <>
      <select
        className="inline"
        aria-label={`Role of ${name}`}
        value={role}
        disabled={changing.isPending}
        onChange={(event) => changing.mutate(event.target.value as MemberRole)}
      >
        {ROLES.map(([each]) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <Problem error={changing.error} />
    </>
  );
}
