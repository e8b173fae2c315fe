export function NoSuchPage() {
  return <h1>There is no such page</h1>;
}
