/** What went wrong, in the daemon's own words. */
export function Problem({ error }: { error: Error | null | undefined }) {
  if (!error) return null;
  return (
    <p className="problem" role="alert">
      {error.message}
    </p>
  );
}
