import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PASSAGES_A_NOTE = 20;
const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'tas', 'vu', 'sel', 'dor', 'ni', 'pa'];
const WORDS = 4_000;

/** Words drawn uniformly, unlike those of any language: the hardest case for an index. */
export function word(number: number): string {
  const digits = String(((number % WORDS) * 7919) % 10_000).padStart(4, '0');
  return [...digits].map((digit) => SYLLABLES[Number(digit)]).join('');
}

function paragraph(seed: number, words: number): string {
  return `${Array.from({ length: words }, (_, index) => word(seed * 131 + index * index)).join(' ')}.`;
}

export function writePages(into: string, pages: number): void {
  mkdirSync(into);
  for (let number = 0; number < pages; number++) {
    const body = Array.from({ length: 60 }, (_, index) => `<p>${paragraph(number * 60 + index, 90)}</p>`);
    const page = `<!doctype html><title>${word(number)}</title><nav><a href="/">Home</a></nav><article><h1>${word(number)}</h1>${body.join('')}</article>`;
    writeFileSync(path.join(into, `${number}.html`), page);
  }
}

/** One passage under each heading. */
export function writeNotes(into: string, passages: number): void {
  mkdirSync(into);
  for (let number = 0; number < passages / PASSAGES_A_NOTE; number++) {
    const parts = Array.from({ length: PASSAGES_A_NOTE }, (_, index) => {
      const seed = number * PASSAGES_A_NOTE + index;
      return `## ${word(seed)}\n\n${paragraph(seed, 60)}`;
    });
    writeFileSync(path.join(into, `${number}.md`), `# ${word(number)}\n\n${parts.join('\n\n')}\n`);
  }
}
