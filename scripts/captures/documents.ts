/** Some notes, for pictures of the agent at work. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  'harbour-bridge.md': `# The harbour bridge

The harbour bridge crosses the river Mira between the old town and the docks. It was designed by Clara Holm.

The harbour bridge was opened on 4 May 1931. It is 412 metres long.
`,
  'clara-holm.md': `# Clara Holm

Clara Holm was born in Arden in 1884. She designed the harbour bridge and the covered market.
`,
  'ferries.md': `# Ferries

Until the bridge was there, two ferries crossed the Mira every hour. The last one sailed in the summer of 1931.
`,
};

/** It needs two of them. */
export const LONG_QUESTION = 'When was the harbour bridge opened, and who designed it?';
