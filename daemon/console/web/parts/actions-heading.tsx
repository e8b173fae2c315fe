/** Labels a column of buttons for screen readers; visually it needs no heading. */
export function ActionsHeading() {
  return (
    <th>
      <span className="hidden">Actions</span>
    </th>
  );
}
