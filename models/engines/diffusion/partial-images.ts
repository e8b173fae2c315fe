/** The steps of each partial image: fewer than the final one, and increasing as far as there are any. */
export function draftSteps(steps: number, drafts: number): number[] {
  return Array.from({ length: drafts }, (_, index) =>
    Math.max(1, Math.min(steps - 1, Math.floor((steps * (index + 1)) / (drafts + 1)))),
  );
}
