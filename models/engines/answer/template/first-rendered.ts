/** The first that renders; otherwise throws the error of the first. */
export function firstRendered<Input>(inputs: readonly Input[], render: (input: Input) => string): string {
  const refusals: unknown[] = [];
  for (const input of inputs) {
    try {
      return render(input);
    } catch (error) {
      refusals.push(error);
    }
  }
  throw refusals[0];
}
