import { memo, useState } from 'react';
import type { UserTurn } from '../state/turn.ts';
import { Attachments } from '../attachments/attachments.tsx';
import { EditBox } from './edit-box.tsx';

export type UserActions = {
  edit: (id: string, text: string) => void;
  remove: (id: string) => void;
};

type Props = { turn: UserTurn; actions: UserActions; isBusy: boolean };

export const UserView = memo(function UserView({ turn, actions, isBusy }: Props) {
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return (
      <article className="turn user editing" aria-label="Your message">
        <EditBox
          label="Your message"
          text={turn.text}
          action="Send from here"
          onSave={(text) => actions.edit(turn.id, text)}
          onClose={() => setEditing(false)}
        />
      </article>
    );
  }
  return (
    <article className="turn user" aria-label="Your message">
      <Attachments attachments={turn.attachments} />
      <div className="bubble">{turn.text}</div>
      <div className="row actions">
        <button type="button" disabled={isBusy} onClick={() => setEditing(true)}>
          Edit
        </button>
        <button type="button" disabled={isBusy} onClick={() => actions.remove(turn.id)}>
          Delete
        </button>
      </div>
    </article>
  );
});
