type Env = Readonly<Record<string, string | undefined>>;

/** A sequence for the terminal in which tmux runs, where tmux lets it through. */
export function throughTmux(sequence: string, env: Env): string {
  if (!env['TMUX']) return sequence;
  return `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
}
