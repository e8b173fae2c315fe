/** How many steps each draft takes: fewer than the picture itself, each more than the one before as far as there are any. */
export function draftSteps(steps: number, drafts: number): number[] {
  return Array.from({ length: drafts }, (_, index) =>
    Math.max(1, Math.min(steps - 1, Math.floor((steps * (index + 1)) / (drafts + 1)))),
  );
}
