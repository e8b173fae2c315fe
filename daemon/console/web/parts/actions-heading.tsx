/** Heads a column of buttons, for screen readers: what is seen of them needs no heading. */
export function ActionsHeading() {
  return (
    <th>
      <span className="hidden">Actions</span>
    </th>
  );
}
